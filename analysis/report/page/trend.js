// Filters the series, and reads out the night below the pointer.
(function () {
  "use strict";
  var form = document.querySelector(".filter"), words = document.getElementById("words");
  var state = document.getElementById("state"), shown = document.getElementById("shown");
  var all = Array.prototype.map.call(document.querySelectorAll(".trend"), function (el) {
    var changes = el.querySelector(".changes");
    return { el: el, state: el.dataset.state, text: (el.querySelector("summary").textContent + " " + (changes ? changes.textContent : "")).toLowerCase() };
  });
  function filter() {
    var wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean), n = 0;
    all.forEach(function (s) {
      var fits = (!state.value || s.state === state.value) && wanted.every(function (w) { return s.text.indexOf(w) >= 0; });
      s.el.hidden = !fits;
      if (fits) { n++; }
    });
    shown.textContent = n + " of " + all.length + " series";
  }
  words.addEventListener("input", filter);
  state.addEventListener("change", filter);
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  form.hidden = false;
  filter();

  function read(e) {
    var svg = e.target.closest && e.target.closest(".nightplot");
    if (!svg) { return; }
    var section = svg.closest(".trend"), rows = section.querySelector(".nights").tBodies[0].rows, n = rows.length;
    var box = svg.getBoundingClientRect(), left = +svg.dataset.left, right = +svg.dataset.right;
    var x = (e.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
    var i = Math.max(0, Math.min(n - 1, Math.round((x - left) / (right - left) * (n - 1))));
    var at = n > 1 ? left + (right - left) * i / (n - 1) : left, finger = svg.querySelector(".finger");
    finger.setAttribute("x1", at);
    finger.setAttribute("x2", at);
    finger.style.visibility = "visible";
    svg.parentNode.querySelector(".reading").textContent = Array.prototype.map.call(rows[n - 1 - i].cells, function (c) { return c.textContent.trim(); }).filter(Boolean).join(" · ");
  }
  document.addEventListener("pointermove", read, { passive: true });

  // A link to a series opens it.
  function open() {
    var el = location.hash && document.getElementById(location.hash.slice(1));
    var details = el && el.querySelector("details");
    if (details) { details.open = true; el.hidden = false; }
  }
  window.addEventListener("hashchange", open);
  open();
})();
