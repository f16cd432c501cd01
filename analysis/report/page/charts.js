// Draws a chart in place of its picture when its reader opens it; the page has ECharts
// inline. Options are plain data; the names of functions in them are looked up here.
(function () {
  "use strict";
  var all = JSON.parse(document.getElementById("options").textContent);
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var charts = {};
  function short(v) { return String(Number(v.toPrecision(3))); }
  var scales = {
    ns: [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]],
    B: [["B", 1], ["KiB", 1024], ["MiB", 1048576], ["GiB", 1073741824]]
  };
  // The ways to write numbers, as the pictures do.
  var labels = {
    quantity: function (unit) {
      var scale = scales[unit] || [[unit, 1]];
      return function (v) {
        var fit = scale.filter(function (s) { return Math.abs(v) >= s[1]; }).pop() || scale[0];
        return (short(v / fit[1]) + " " + fit[0]).trim();
      };
    },
    share: function () {
      return function (v) {
        var exponent = Math.round(-Math.log10(v));
        return exponent <= 3 ? short(100 * v) + " %" : "10⁻" + String(exponent).replace(/\d/g, function (d) { return "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]; });
      };
    },
    ratio: function () { return function (v) { return "× " + short(Math.exp(v)); }; }
  };
  function written(axis) {
    var name = axis && axis.axisLabel && axis.axisLabel.formatter;
    if (!name) { return null; }
    var parts = name.split(" ");
    return (axis.axisLabel.formatter = labels[parts[0]](parts[1] || ""));
  }
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
  function draw(one, el) {
    var options = JSON.parse(JSON.stringify(one.options)), style = getComputedStyle(document.documentElement);
    options.backgroundColor = "transparent";
    options.color = [0, 1, 2, 3, 4, 5, 6, 7].map(function (i) { return style.getPropertyValue("--t" + i).trim(); });
    (options.series || []).forEach(function (s) {
      if (s.renderItem) {
        var name = s.renderItem;
        s.renderItem = drawings[name];
        s.dimensions = dimensions[name];
      }
    });
    var x = (options.xAxis || []).map(written)[0], y = (options.yAxis || []).map(written)[0];
    if (y || x) { options.tooltip.valueFormatter = function (v) { return typeof v === "number" ? (y || x)(v) : v; }; }
    if (rowsOf(options) > 0) { el.style.height = Math.max(12, 6 + 2 * rowsOf(options)) + "rem"; }
    charts[one.id] = echarts.init(el, dark.matches ? "dark" : null, { renderer: "svg" });
    charts[one.id].setOption(options);
  }
  all.forEach(function (one) {
    var el = document.getElementById(one.id), explore = el.closest("details"), figure = el.closest("figure");
    explore.addEventListener("toggle", function () {
      figure.classList.toggle("live", explore.open);
      if (!explore.open) { return; }
      if (charts[one.id]) { charts[one.id].resize(); } else { draw(one, el); }
    });
  });
  dark.addEventListener("change", function () {
    all.forEach(function (one) {
      if (charts[one.id]) {
        charts[one.id].dispose();
        draw(one, document.getElementById(one.id));
      }
    });
  });
  window.addEventListener("resize", function () { Object.keys(charts).forEach(function (id) { charts[id].resize(); }); });
})();
