// SPDX-License-Identifier: MIT
// Hides the rows of all tables that do not have a text. The paths of a function go with its row.
(() => {
  const filter = document.getElementById("filter");
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    let shown = true;
    for (const row of document.querySelectorAll("main tbody tr")) {
      const has = row.textContent.toLowerCase().includes(wanted);
      shown = row.classList.contains("of-path") ? shown || has : has;
      row.hidden = !shown;
    }
  });
  document.documentElement.dataset.ready = "yes";
})();
