// The review's own behaviour: charts drawn in the page's colours, tables sorted and filtered, light and dark.
"use strict";
(() => {
  const root = document.documentElement;
  const specs = JSON.parse(document.getElementById("charts").textContent);
  const views = {};
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  function config() {
    const ink = colour("--ink"), soft = colour("--soft"), line = colour("--line");
    const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
    return {
      background: "transparent",
      font,
      view: { stroke: null },
      axis: { labelColor: ink, titleColor: soft, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, gridDash: [2, 3] },
      legend: { labelColor: ink, titleColor: soft, labelFontSize: 12 },
      text: { color: ink, fontSize: 12 },
      mark: { color: colour("--genuine") },
      range: {
        category: ["--genuine", "--candidate", "--control", "--fourth", "--fifth", "--sixth", "--seventh"].map(colour),
        ramp: [colour("--ramp-low"), colour("--ramp-mid"), colour("--ramp-high")],
        heatmap: [colour("--ramp-low"), colour("--ramp-mid"), colour("--ramp-high")],
      },
      style: {
        inside: { fill: colour("--genuine"), fillOpacity: 0.09, stroke: null },
        envelope: { stroke: soft, strokeDash: [4, 3], strokeWidth: 1.3 },
      },
    };
  }

  async function draw() {
    delete root.dataset.charts;
    const places = [...document.querySelectorAll("[data-chart]")];
    const look = config();
    let drawn = 0;
    for (const place of places) {
      const key = place.dataset.chart;
      if (views[key]) views[key].finalize();
      // The libraries fill a specification in; each drawing gets its own copy.
      const spec = structuredClone(specs[key]);
      delete spec.config;
      try {
        views[key] = await window.vegaEmbed(place, spec, { actions: false, renderer: "svg", config: look, mode: "vega-lite", tooltip: { theme: "custom" } });
        drawn += 1;
      } catch (error) {
        place.textContent = "This chart could not be drawn.";
        console.error(key, error);
      }
    }
    choose();
    root.dataset.charts = `${drawn} of ${places.length}`;
  }

  const picker = document.getElementById("density-source");
  function choose() {
    if (picker && views.density) views.density.view.signal("chosen", picker.value).runAsync();
  }
  if (picker) picker.addEventListener("change", choose);

  // Light and dark: the system's choice until the reader makes one.
  const button = document.getElementById("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  function label() {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-pressed", String(isDark()));
  }
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); draw(); });
    system.addEventListener("change", () => { label(); draw(); });
    label();
  }

  function sort(table, column, button) {
    const heading = button.closest("th");
    const down = heading.getAttribute("aria-sort") !== "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const number = heading.dataset.kind === "number";
    const value = (row) => row.cells[column].dataset.value ?? "";
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === "" || y === "") return (x === "") - (y === "");  // what was not measured stays last
      const order = number ? Number(x) - Number(y) : x.localeCompare(y);
      return down ? -order : order;
    });
    table.tBodies[0].append(...rows);
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const button = cell.querySelector("button");
      if (button) button.addEventListener("click", () => sort(table, column, button));
    });
  }

  const tools = document.querySelector(".tools");
  if (tools) {
    tools.hidden = false;
    const [find, role, usable, shown] = ["find", "role", "usable", "shown"].map((id) => document.getElementById(id));
    const rows = [...document.querySelectorAll("#source-table tbody tr")];
    const filter = () => {
      const part = find.value.trim().toLocaleLowerCase();
      for (const row of rows) {
        const { name, role: has, usable: says } = row.dataset;
        row.hidden = !(name.toLocaleLowerCase().includes(part) && (!role.value || has === role.value) && (!usable.value || says === usable.value));
      }
      shown.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} sources`;
    };
    for (const field of [find, role, usable]) field.addEventListener("input", filter);
  }

  // On paper everything is open.
  window.addEventListener("beforeprint", () => { for (const part of document.querySelectorAll("details")) part.open = true; });

  if (Object.keys(specs).length) draw();
  else root.dataset.charts = "0 of 0";
})();
