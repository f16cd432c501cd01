// Draws the charts when the page has ECharts inline. Options are plain data;
// the names of drawing functions in them are looked up here.
(function () {
  "use strict";
  var all = JSON.parse(document.getElementById("options").textContent);
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var charts = [];
  var drawings = {
    interval: function (params, api) {
      var from = api.coord([api.value(1), api.value(3)]), to = api.coord([api.value(2), api.value(3)]), at = api.coord([api.value(0), api.value(3)]);
      var style = { stroke: api.visual("color"), lineWidth: 3, fill: api.visual("color") };
      return { type: "group", children: [
        { type: "line", shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }, style: style },
        { type: "circle", shape: { cx: at[0], cy: at[1], r: 5 }, style: style }
      ] };
    },
    whisker: function (params, api) {
      var from = api.coord([api.value(0), api.value(2)]), to = api.coord([api.value(0), api.value(3)]);
      var style = { stroke: api.visual("color"), lineWidth: 2 };
      return { type: "line", shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }, style: style };
    }
  };
  function draw() {
    charts.forEach(function (c) { c.dispose(); });
    charts = all.map(function (one) {
      var el = document.getElementById(one.id), options = JSON.parse(JSON.stringify(one.options));
      el.parentNode.classList.add("live");
      options.backgroundColor = "transparent";
      (options.series || []).forEach(function (s) {
        if (s.renderItem) {
          var name = s.renderItem;
          s.renderItem = drawings[name];
          s.dimensions = name === "whisker" ? ["level", "mean", "from", "to"] : ["difference", "from", "to", "variant"];
          if (name === "interval") { el.style.height = Math.max(12, 4 + 2 * s.data.length) + "rem"; }
        }
      });
      var c = echarts.init(el, dark.matches ? "dark" : null, { renderer: "svg" });
      c.setOption(options);
      return c;
    });
  }
  draw();
  dark.addEventListener("change", draw);
  window.addEventListener("resize", function () { charts.forEach(function (c) { c.resize(); }); });
})();
