// Lets a reader look closer at what threads did: a part of the axis that is dragged over, the
// keys + - and arrows, or the buttons below a drawing choose the part that is drawn. Without
// it the drawing shows the whole.
(function () {
  "use strict";
  var TOP = 14, HEIGHT = 26, INSET = 3, SHADES = 10, LEAST = 2, WAIT = 3, NAMED = 1, LETTER = 7;
  var scales = [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]];
  function scaleOf(v) { return scales.filter(function (s) { return v >= s[1]; }).pop() || scales[0]; }
  function quantity(ns) { var s = scaleOf(ns); return Number((ns / s[1]).toPrecision(4)) + " " + s[0]; }
  function make(tag, attributes, text) {
    var el = document.createElementNS("http://www.w3.org/2000/svg", tag);
    Object.keys(attributes).forEach(function (name) { el.setAttribute(name, attributes[name]); });
    if (text !== undefined) { el.textContent = text; }
    return el;
  }
  var odd = [["block", ""], ["block thrown", ", by an exception"], ["block open", ", at least"], ["waiting", ", waiting"]];

  function closer(svg, data) {
    var layout = JSON.parse(svg.getAttribute("data-layout")), LEFT = layout.left, RIGHT = layout.right;
    var bottom = TOP + (HEIGHT + layout.above) * data.rows.length, whole = [data.low, data.high], part = whole;
    var still = Array.prototype.slice.call(svg.childNodes);
    var drawn = make("g", {});
    svg.appendChild(drawn);
    function place(t) { return LEFT + (t - part[0]) / (part[1] - part[0]) * (RIGHT - LEFT); }
    function cut(x) { return Math.min(RIGHT, Math.max(LEFT, x)); }

    function ticks() {
      var width = part[1] - part[0], rough = width / (layout.above ? 3 : 6), power = Math.pow(10, Math.floor(Math.log10(rough)));
      var step = [1, 2, 5, 10].filter(function (n) { return n * power >= rough; })[0] * power, scale = scaleOf(Math.max(part[1], step));
      if (width < scale[1] / 50) { scale = scaleOf(width); }
      for (var t = Math.ceil(part[0] / step) * step; t <= part[1]; t += step) {
        var x = place(t), digits = Math.max(0, Math.ceil(-Math.log10(step / scale[1]) - 1e-9));
        drawn.appendChild(make("line", { "class": "rule", x1: x, x2: x, y1: TOP - 6, y2: bottom }));
        drawn.appendChild(make("text", { "class": "quiet", x: x, y: bottom + 16.5, "text-anchor": "middle" }, (t / scale[1]).toFixed(digits)));
      }
      drawn.appendChild(make("text", { "class": "quiet", x: (LEFT + RIGHT) / 2, y: bottom + 34.5, "text-anchor": "middle" },
        scale[0] + " since the first event; shown: " + quantity(part[1] - part[0])));
    }

    function row(r, i) {
      var top = TOP + (HEIGHT + layout.above) * i + layout.above + 2, height = HEIGHT - 4, shares = [], blocks = [], k;
      var group = make("g", { "class": "t" + r.t });
      for (k = 0; k < RIGHT - LEFT; k++) { shares.push(0); }
      if (r.s) {
        for (k = 0; k < shares.length; k++) {
          var t = part[0] + (k + 0.5) / shares.length * (part[1] - part[0]);
          shares[k] = r.s[Math.min(r.s.length - 1, Math.floor((t - data.low) / (data.high - data.low) * r.s.length))];
        }
      }
      for (var at = 0, from = 0; r.b && at < r.b.length; at += 4) {
        from += r.b[at];
        var to = from + r.b[at + 1];
        if (to < part[0] || from > part[1]) { continue; }
        var x = cut(place(from)), end = cut(place(to)), depth = r.b[at + 2] >> 2;
        if (place(to) - place(from) >= 1) {
          blocks.push({ x: x, width: end - x, depth: depth, odd: r.b[at + 2] & 3, name: data.names[r.b[at + 3]], text: data.names[r.b[at + 3]] + ": " + quantity(r.b[at + 1]) });
        } else if (depth === 0) {
          shares[Math.min(shares.length - 1, Math.floor(x - LEFT))] += end - x;
        }
      }
      shares.forEach(function (share, at) {
        if (share > 0) {
          var level = Math.min(SHADES, Math.max(1, Math.round(share * SHADES)));
          group.appendChild(make("rect", { "class": "share", opacity: (level + LEAST) / (SHADES + LEAST), x: LEFT + at, y: top, width: 1, height: height }));
        }
      });
      blocks.sort(function (a, b) { return a.depth - b.depth; }).forEach(function (b) {
        var inset = INSET * (b.odd === 3 ? Math.max(0, b.depth - 1) : b.depth); // what waits takes the place of the block that it is in
        var rect = make("rect", { "class": odd[b.odd][0], x: b.x, y: top + inset, width: b.width, height: height - 2 * inset });
        rect.appendChild(make("title", {}, b.text + odd[b.odd][1]));
        group.appendChild(rect);
        if (b.odd === 3) { group.appendChild(make("rect", { "class": "wait", x: b.x, y: top + height / 2 - WAIT / 2, width: b.width, height: WAIT })); }
      });
      blocks.forEach(function (b) { name(group, blocks, b, top + height / 2); });
      drawn.appendChild(group);
    }

    // The name of a block stands in the first gap between the blocks that are drawn above it.
    function name(group, blocks, b, y) {
      var text = b.name.slice(b.name.lastIndexOf(".") + 1), need = text.length * LETTER + 8, x = b.x, end = b.x + b.width;
      if (b.odd === 3 || b.depth > NAMED || b.width < need) { return; }
      blocks.filter(function (o) {
        return o !== b && o.x >= b.x && o.x + o.width <= end && (o.depth > b.depth || o.odd === 3);
      }).sort(function (a, o) { return a.x - o.x; }).some(function (o) {
        if (o.x - x >= need) { return true; }
        x = Math.max(x, o.x + o.width);
        return false;
      });
      if (end - x >= need) { group.appendChild(make("text", { "class": "named", x: x + 4, y: y + 4 }, text)); }
    }

    function show(next) {
      var least = Math.min(data.high - data.low, 100); // ns
      if (next[1] - next[0] < least) { next = [(next[0] + next[1] - least) / 2, (next[0] + next[1] + least) / 2]; }
      var shift = Math.max(0, data.low - next[0]) - Math.max(0, next[1] - data.high);
      part = [Math.max(data.low, next[0] + shift), Math.min(data.high, next[1] + shift)];
      var all = part[0] <= data.low && part[1] >= data.high;
      still.forEach(function (el) {
        var name = el.classList.contains("lane");
        var line = el.nodeName === "line" && el.getAttribute("y1") === el.getAttribute("y2");
        el.style.display = all || name || line ? "" : "none";
      });
      drawn.textContent = "";
      if (!all) { ticks(); data.rows.forEach(row); }
    }
    // How much there is between two times: calls that begin or end there, or the shares that stand for them.
    function much(from, to) {
      return data.rows.reduce(function (sum, r) {
        for (var at = 0, t = 0; r.b && at < r.b.length; at += 4) {
          t += r.b[at];
          sum += (t >= from && t < to) + (t + r.b[at + 1] >= from && t + r.b[at + 1] < to);
        }
        (r.s || []).forEach(function (share, i) {
          var middle = data.low + (i + 0.5) / r.s.length * (data.high - data.low);
          if (middle >= from && middle < to) { sum += share; }
        });
        return sum;
      }, 0);
    }
    // Half of what is shown, where there is most; of several such places the one nearest to the middle.
    function closest() {
      var width = (part[1] - part[0]) / 2, steps = 16, best = steps / 2, most = -1;
      for (var i = 0; i <= steps; i++) {
        var from = part[0] + width * i / steps, here = much(from, from + width);
        if (here > most || here === most && Math.abs(i - steps / 2) < Math.abs(best - steps / 2)) { most = here; best = i; }
      }
      show([part[0] + width * best / steps, part[0] + width * best / steps + width]);
    }
    function by(factor, shift) {
      var middle = (part[0] + part[1]) / 2, half = (part[1] - part[0]) / 2;
      show([middle - half * factor + 2 * half * shift, middle + half * factor + 2 * half * shift]);
    }

    function timeAt(event) {
      var box = svg.getBoundingClientRect();
      return part[0] + (cut((event.clientX - box.left) / box.width * layout.width) - LEFT) / (RIGHT - LEFT) * (part[1] - part[0]);
    }
    var begun = null, frame = null;
    svg.addEventListener("pointerdown", function (event) {
      begun = timeAt(event);
      frame = make("rect", { "class": "chosen", y: TOP - 6, height: bottom - TOP + 6, x: 0, width: 0 });
      svg.appendChild(frame);
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", function (event) {
      if (begun === null) { return; }
      var xs = [place(begun), place(timeAt(event))].sort(function (a, b) { return a - b; });
      frame.setAttribute("x", xs[0]);
      frame.setAttribute("width", xs[1] - xs[0]);
    });
    svg.addEventListener("pointerup", function (event) {
      if (begun === null) { return; }
      var ends = [begun, timeAt(event)].sort(function (a, b) { return a - b; });
      frame.remove();
      begun = null;
      if (place(ends[1]) - place(ends[0]) > 4) { show(ends); }
    });
    svg.addEventListener("dblclick", function () { show(whole); });
    function moving(factor, shift) { return function () { by(factor, shift); }; }
    var keys = { "+": closest, "-": moving(2, 0), ArrowLeft: moving(1, -0.25), ArrowRight: moving(1, 0.25), Home: function () { show(whole); } };
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("keydown", function (event) {
      if (!keys[event.key]) { return; }
      keys[event.key]();
      event.preventDefault();
    });
    var bar = document.createElement("p");
    bar.className = "closer";
    [["Closer", closest], ["Wider", keys["-"]], ["← Earlier", moving(1, -0.5)], ["Later →", moving(1, 0.5)], ["Whole", keys.Home]].forEach(function (b) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = b[0];
      button.addEventListener("click", b[1]);
      bar.appendChild(button);
    });
    bar.appendChild(document.createTextNode(" or drag over a part of it"));
    svg.parentNode.insertBefore(bar, svg.nextSibling);
  }
  Array.prototype.forEach.call(document.querySelectorAll("svg[data-lanes]"), function (svg) {
    var data = JSON.parse(svg.getAttribute("data-lanes"));
    svg.removeAttribute("data-lanes");
    Array.prototype.forEach.call(svg.closest("figure").querySelectorAll("svg.lanes"), function (one) { closer(one, data); });
  });
})();
