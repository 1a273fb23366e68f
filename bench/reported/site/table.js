/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Filters and sorts the table of kernels. Without it the page shows the whole table in its order. */
"use strict";
{
  const table = document.getElementById("kernels");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows];
  const text = (row, column) => row.cells[column].textContent;
  const chosen = new Map();

  const show = () => {
    for (const row of rows) {
      row.hidden = [...chosen].some(([column, value]) => value && text(row, column) !== value);
    }
  };

  for (const name of ["Machine", "Cipher", "Does not depend on secrets", "Proved", "Tables in RAM", "Default"]) {
    const column = heads.findIndex((head) => head.textContent === name);
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.add(new Option("any", ""));
    for (const value of new Set(rows.map((row) => text(row, column)))) select.add(new Option(value, value));
    select.addEventListener("change", () => { chosen.set(column, select.value); show(); });
    label.append(name + ": ", select);
    document.getElementById("filters").append(label);
  }

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    let down = true;
    button.textContent = head.textContent;
    button.addEventListener("click", () => {
      const key = (row) => text(row, column);
      rows.sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        if (!x || !y) return (x ? 0 : 1) - (y ? 0 : 1);        /* what is not known comes last */
        const order = isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y;
        return down ? order : -order;
      });
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "ascending" : "descending");
      down = !down;
      body.append(...rows);
    });
    head.replaceChildren(button);
  });
}
