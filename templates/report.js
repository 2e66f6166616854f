// Switches, filters and the theme. The page is whole without it; texts are put in their places, nothing is computed.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const baseline = document.getElementById("baseline");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const state = { theme: "", baseline: data.baseline || "", measures: {}, off: { target: [], scenario: [], operation: [] } };

  // The address: #section?key=value&…, so that a view can be sent.
  const read = () => {
    const [anchor, query = ""] = location.hash.slice(1).split("?");
    const given = new URLSearchParams(query);
    state.theme = given.get("theme") || "";
    state.baseline = data.columns.includes(given.get("baseline")) ? given.get("baseline") : data.baseline || "";
    for (const kind of Object.keys(state.off)) state.off[kind] = given.getAll("no-" + kind);
    for (const table of all(".switch")) {
      const asked = given.get("measure-" + table.id);
      state.measures[table.id] = data.tables[table.id][asked] ? asked : table.dataset.chosen;
    }
    return anchor;
  };
  const write = (anchor) => {
    const kept = new URLSearchParams();
    if (state.theme) kept.set("theme", state.theme);
    if (state.baseline !== (data.baseline || "")) kept.set("baseline", state.baseline);
    for (const table of all(".switch")) {
      if (state.measures[table.id] !== table.dataset.chosen) kept.set("measure-" + table.id, state.measures[table.id]);
    }
    for (const [kind, values] of Object.entries(state.off)) values.forEach((value) => kept.append("no-" + kind, value));
    const query = kept.toString();
    history.replaceState(null, "", "#" + anchor + (query ? "?" + query : ""));
  };
  let anchor = "";

  const put = (cell, entry) => {
    const [ratio, verdict, line] = entry.r[data.columns.indexOf(state.baseline)] || ["", "", ""];
    cell.className = "num cell " + entry.c + (entry.b ? " best" : "");
    cell.title = line ? entry.t + "\n" + line : entry.t;
    const text = (name, value) => { cell.querySelector("." + name).textContent = value; };
    text("value", entry.v);
    text("interval", entry.i);
    text("times", ratio);
    text("word", verdict);
    cell.querySelector(".word").className = "word " + verdict;
    text("marks", entry.m);
    text("says", entry.s);
    cell.querySelector(".says").className = "says" + (entry.v ? " beside" : "");
  };
  const fill = () => {
    for (const table of all(".switch")) {
      const chosen = state.measures[table.id];
      const select = table.querySelector(".measure");
      select.value = chosen;
      const head = select.selectedOptions[0].dataset.head;
      table.querySelector(".head").textContent = head;
      const unit = head.replace(/ \([^)]*\)$/, "").split(", ").pop();
      all("thead .unit", table).forEach((one) => { one.textContent = unit; });
      const rows = data.tables[table.id][chosen];
      all("tbody tr:not(.row-note)", table).forEach((row, index) => {
        all("td.cell", row).forEach((cell, column) => { if (rows[index][column]) put(cell, rows[index][column]); });
      });
    }
    if (baseline) baseline.value = state.baseline;
  };
  const filter = () => {
    const attribute = { target: "column", scenario: "scenario", operation: "operation" };
    for (const element of all("[data-column], [data-scenario], [data-operation]")) {
      if (element.closest("#filters")) continue;
      const off = Object.entries(attribute).some(([kind, name]) => state.off[kind].includes(element.dataset[name]));
      element.toggleAttribute("hidden", off);
      if (element.namespaceURI.endsWith("svg")) element.style.display = off ? "none" : "";
    }
    for (const box of all("#filters input")) box.checked = !state.off[box.name].includes(box.value);
    const count = Object.values(state.off).flat().length;
    document.getElementById("filter-button").textContent = count ? "Filter (" + count + " off)" : "Filter";
  };
  const dark = () => state.theme ? state.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = () => {
    if (state.theme) document.documentElement.dataset.theme = state.theme;
    else delete document.documentElement.dataset.theme;
    document.getElementById("theme-button").textContent = dark() ? "Light" : "Dark";
  };
  const show = () => { theme(); fill(); filter(); };
  const changed = () => { show(); write(anchor); };

  if (baseline) baseline.addEventListener("change", () => { state.baseline = baseline.value; changed(); });
  for (const table of all(".switch")) {
    table.querySelector(".measure").addEventListener("change", (event) => { state.measures[table.id] = event.target.value; changed(); });
  }
  for (const box of all("#filters input")) {
    box.addEventListener("change", () => {
      state.off[box.name] = all('#filters input[name="' + box.name + '"]').filter((one) => !one.checked).map((one) => one.value);
      changed();
    });
  }
  document.getElementById("theme-button").addEventListener("click", () => { state.theme = dark() ? "light" : "dark"; changed(); });
  const button = document.getElementById("filter-button");
  button.addEventListener("click", () => {
    const panel = document.getElementById("filters");
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
  });
  for (const link of all("nav a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      // A pointer leaves no focus behind: its outline would look like a second mark of where one is.
      if (event.detail > 0) link.blur();
      anchor = link.hash.slice(1);
      document.getElementById(anchor).scrollIntoView();
      write(anchor);
    });
  }
  addEventListener("hashchange", () => { anchor = read(); show(); go(); });
  const go = () => { const place = anchor && document.getElementById(anchor); if (place) place.scrollIntoView(); };
  if ("IntersectionObserver" in window) {
    const inside = new Set();
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) entry.isIntersecting ? inside.add(entry.target.id) : inside.delete(entry.target.id);
      const first = all("main > section").find((section) => inside.has(section.id));
      if (!first) return;
      all("nav a").forEach((link) => link.classList.toggle("here", link.hash === "#" + first.id));
    }, { rootMargin: "-20% 0px -75% 0px" });
    all("main > section").forEach((section) => seen.observe(section));
  }
  // On a screen without a pointer, a touch tells what pointing would.
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("td[title]");
    tip.hidden = !cell || !cell.title;
    if (!tip.hidden) tip.textContent = cell.title;
  });
  all("[hidden].controls, #filter-button, #theme-button").forEach((element) => { element.hidden = false; });
  anchor = read();
  show();
  go();
})();
