// Makes the page easier to use: the table of cells can be sorted and filtered,
// command lines can be copied, tables that are wider than the window can be
// scrolled with the keys, drawings of nights are read out, and all
// that is closed can be opened at once. Nothing of it is needed to read the page.
(function () {
  "use strict";
  function list(of) { return Array.prototype.slice.call(of); }
  function make(tag, attributes, text) {
    var el = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) { el.setAttribute(name, attributes[name]); });
    if (text) { el.textContent = text; }
    return el;
  }
  function counted(n) { return String(n).replace(/\B(?=(\d{3})+$)/g, ","); }

  // A table of cells: a click on a head sorts upwards, then downwards, then as
  // it was.
  function sortable(table, number) {
    var body = table.tBodies[0], rows = list(body.rows), heads = list(table.tHead.rows[0].cells);
    var collator = new Intl.Collator("en", { numeric: true });
    var keys = rows.map(function (row) { return (row.getAttribute("data-v") || "").split(","); });
    var nouns = (table.getAttribute("data-rows") || "row rows").split(" "), texts = null, sorted = { column: -1, up: true };
    var status = make("output", { role: "status", "aria-live": "polite" });

    function textsOf() {
      return texts || (texts = rows.map(function (row) { return list(row.cells).map(function (c) { return c.textContent.toLowerCase(); }); }));
    }
    function key(i, column) {
      var at = heads[column].getAttribute("data-key");
      if (at !== null) { return keys[i][at] ? Number(keys[i][at]) : null; }
      return textsOf()[i][column] || null;
    }
    function compare(a, b, up) {
      if (a === null || b === null) { return a === b ? 0 : a === null ? 1 : -1; } // without a value: at the end, either way
      var order = typeof a === "number" ? a - b : collator.compare(a, b);
      return up ? order : -order;
    }
    function sort(column) {
      if (sorted.column !== column) { sorted = { column: column, up: true }; }
      else if (sorted.up) { sorted.up = false; }
      else { sorted = { column: -1, up: true }; }
      var order = rows.map(function (row, i) { return i; });
      if (sorted.column >= 0) {
        var values = rows.map(function (row, i) { return key(i, sorted.column); });
        order.sort(function (a, b) { return compare(values[a], values[b], sorted.up) || a - b; });
      }
      var fragment = document.createDocumentFragment();
      order.forEach(function (i) { fragment.appendChild(rows[i]); });
      body.appendChild(fragment);
      heads.forEach(function (head, i) {
        if (head.hasAttribute("aria-sort")) { head.setAttribute("aria-sort", i !== sorted.column ? "none" : sorted.up ? "ascending" : "descending"); }
      });
      tell();
    }
    var shown = rows.length;
    function tell() {
      var text = counted(shown) + " of " + counted(rows.length) + " " + nouns[rows.length === 1 ? 0 : 1];
      if (sorted.column >= 0) { text += ", by " + heads[sorted.column].textContent.trim() + (sorted.up ? ", rising" : ", falling"); }
      status.textContent = text;
    }

    heads.forEach(function (head, i) {
      if (head.hasAttribute("data-drawn")) { return; }
      var button = make("button", { type: "button" }, head.textContent);
      if (head.title) { button.title = head.title; head.removeAttribute("title"); }
      head.textContent = "";
      head.setAttribute("aria-sort", "none");
      head.appendChild(button);
      button.addEventListener("click", function () { sort(i); });
    });

    var section = table.closest("section") && table.closest("section").querySelector("h2");
    var form = make("div", { "class": "filter", role: "search", "aria-label": (section ? section.textContent : "The campaign") + ": " + nouns[1] });
    var input = make("input", { type: "search", id: "filter-" + number, autocomplete: "off", spellcheck: "false" });
    var select = make("select", { id: "in-" + number });
    select.appendChild(make("option", { value: "-1" }, "any column"));
    heads.forEach(function (head, i) {
      if (!head.hasAttribute("data-drawn")) { select.appendChild(make("option", { value: String(i) }, head.textContent.trim())); }
    });
    function filter() {
      var words = input.value.toLowerCase().split(/\s+/).filter(Boolean), column = Number(select.value), all = words.length ? textsOf() : null;
      shown = 0;
      rows.forEach(function (row, i) {
        var text = !all ? "" : column < 0 ? all[i].join("\n") : all[i][column];
        row.hidden = !words.every(function (word) { return text.indexOf(word) >= 0; });
        if (!row.hidden) { shown++; }
      });
      tell();
    }
    var waiting = false;
    function soon() {
      if (waiting) { return; }
      waiting = true;
      requestAnimationFrame(function () { waiting = false; filter(); });
    }
    input.addEventListener("input", soon);
    select.addEventListener("change", soon);
    form.appendChild(make("label", { "for": input.id }, "Show " + nouns[1] + " with"));
    form.appendChild(input);
    form.appendChild(make("label", { "for": select.id }, "in"));
    form.appendChild(select);
    form.appendChild(status);
    table.parentNode.parentNode.insertBefore(form, table.parentNode);
    tell();
  }

  // Copies a text; where that is not allowed, selects it to be copied by hand.
  function copy(text, button, shownIn) {
    function done(word) {
      button.textContent = word;
      setTimeout(function () { button.textContent = "Copy"; }, 2000);
    }
    function byHand() {
      var range = document.createRange(), selection = window.getSelection(), area = make("pre", { "class": "byhand" }, text);
      shownIn.appendChild(area);
      range.selectNodeContents(area);
      selection.removeAllRanges();
      selection.addRange(range);
      var copied = false;
      try { copied = document.execCommand("copy"); } catch (refused) { copied = false; }
      if (copied) { shownIn.removeChild(area); done("Copied"); } else { done("Selected: press Ctrl+C"); }
    }
    if (navigator.clipboard && window.isSecureContext) {
      navigator.clipboard.writeText(text).then(function () { done("Copied"); }, byHand);
    } else { byHand(); }
  }
  function copier(what, text, shownIn) {
    var button = make("button", { type: "button", "class": "copy", "aria-label": "Copy the command line of " + what }, "Copy");
    button.addEventListener("click", function () { copy(text(), button, shownIn); });
    return button;
  }
  // The command line with the marked words replaced by those of a row.
  function command(pre, row) {
    var own = row ? list(row.querySelectorAll("code")) : [], line = pre.cloneNode(true);
    list(line.querySelectorAll("mark")).forEach(function (word, i) {
      if (own[i]) { word.textContent = own[i].textContent; }
    });
    return line.textContent;
  }
  function copyable(group) {
    var pre = group.querySelector("pre");
    if (!pre) { return; }
    var rows = list(group.querySelectorAll("table.runs tbody tr")), told = group.querySelector("summary b").textContent;
    pre.parentNode.insertBefore(copier(told, function () { return command(pre, rows[0]); }, group), pre);
    group.addEventListener("toggle", function fill() {
      group.removeEventListener("toggle", fill);
      rows.forEach(function (row) {
        row.cells[0].appendChild(copier(row.cells[0].textContent, function () { return command(pre, row); }, row.cells[row.cells.length - 1]));
      });
    });
  }

  // What is wider than its place can be reached with the keys.
  function reachable(all) {
    if (!window.ResizeObserver) { return; }
    var observer = new ResizeObserver(function (entries) {
      var wide = entries.map(function (e) { return e.target.scrollWidth > e.target.clientWidth + 1; });
      entries.forEach(function (e, i) {
        var el = e.target, caption = el.querySelector("caption");
        if (!wide[i]) { el.removeAttribute("tabindex"); return; }
        el.setAttribute("tabindex", "0");
        if (el.tagName === "FIGURE") { return; } // it has its caption
        el.setAttribute("role", "group");
        el.setAttribute("aria-label", caption ? caption.textContent : "wide content, can be scrolled");
      });
    });
    all.forEach(function (el) { observer.observe(el); });
  }

  // The night below the pointer: a line in its drawings, and its row of the table
  // below them, whose last row is the first night.
  function readable(group) {
    var place = group.closest("details"), table = place && place.querySelector("table.reads");
    if (!table) { return; }
    var rows = table.tBodies[0].rows, n = rows.length, told = make("p", { "class": "reading soft", "aria-hidden": "true" });
    var drawings = list(group.querySelectorAll("svg[data-from]")), lines = drawings.map(function (svg) {
      var line = document.createElementNS(svg.namespaceURI, "line"), box = svg.viewBox.baseVal;
      line.setAttribute("class", "finger");
      line.setAttribute("y1", 0);
      line.setAttribute("y2", box.height);
      return svg.appendChild(line);
    });
    group.appendChild(told);
    group.addEventListener("pointermove", function (e) {
      var svg = e.target.closest("svg[data-from]");
      if (!svg) { return; }
      var box = svg.getBoundingClientRect(), from = +svg.dataset.from, to = +svg.dataset.to;
      var x = (e.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
      var i = Math.max(0, Math.min(n - 1, Math.round((x - from) / (to - from) * (n - 1))));
      lines.forEach(function (line) {
        line.setAttribute("x1", n > 1 ? from + (to - from) * i / (n - 1) : from);
        line.setAttribute("x2", line.getAttribute("x1"));
        line.style.visibility = "visible";
      });
      told.textContent = list(rows[n - 1 - i].cells).map(function (c) { return c.textContent.replace(/\s+/g, " ").trim(); }).filter(Boolean).join(" · ");
    }, { passive: true });
  }

  // A link to a part that is closed opens it.
  function open() {
    var el = location.hash && document.getElementById(location.hash.slice(1)), details = el && el.closest("details");
    if (details) { details.open = true; }
  }
  window.addEventListener("hashchange", open);
  open();

  list(document.querySelectorAll("table.cells")).forEach(sortable);
  list(document.querySelectorAll("details.command")).forEach(copyable);
  list(document.querySelectorAll(".read")).forEach(readable);
  reachable(list(document.querySelectorAll(".scroll, figure")));
  // Closed parts are not printed.
  var nav = document.querySelector("nav"), parts = list(document.querySelectorAll("details:not(.explore)"));
  if (nav && parts.length) {
    var all = make("button", { type: "button", "class": "copy" }, "Open all parts");
    all.addEventListener("click", function () {
      var closed = parts.some(function (d) { return !d.open; });
      parts.forEach(function (d) { d.open = closed; });
      all.textContent = closed ? "Close all parts" : "Open all parts";
    });
    nav.appendChild(all);
  }
})();
