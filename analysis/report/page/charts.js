// Draws the charts when the page has ECharts inline. Options are plain data;
// the names of drawing functions in them are looked up here.
(function () {
  "use strict";
  var all = JSON.parse(document.getElementById("options").textContent);
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var charts = [];
  var dimensions = {
    interval: ["difference", "from", "to", "variant"],
    whisker: ["level", "mean", "from", "to"],
    band: ["x", "from", "to", "next x", "next from", "next to"]
  };
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
    },
    band: function (params, api) {
      var points = [[0, 1], [3, 4], [3, 5], [0, 2]].map(function (k) { return api.coord([api.value(k[0]), api.value(k[1])]); });
      return { type: "polygon", silent: true, shape: { points: points }, style: { fill: api.visual("color"), opacity: 0.16 } };
    }
  };
  function rowsOf(options) {
    var y = options.yAxis && options.yAxis[0];
    return y && y.type === "category" && y.data ? y.data.length : 0;
  }
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
          s.dimensions = dimensions[name];
        }
      });
      if (rowsOf(options) > 0) { el.style.height = Math.max(12, 6 + 2 * rowsOf(options)) + "rem"; }
      var c = echarts.init(el, dark.matches ? "dark" : null, { renderer: "svg" });
      c.setOption(options);
      return c;
    });
  }
  draw();
  dark.addEventListener("change", draw);
  window.addEventListener("resize", function () { charts.forEach(function (c) { c.resize(); }); });
})();
