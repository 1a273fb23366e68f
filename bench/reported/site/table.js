/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Filters and sorts the table of kernels. Without it the page shows the whole table in its order. */
"use strict";
{
  const form = document.getElementById("choose");
  const table = document.getElementById("kernels");
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows];
  const column = (title) => heads.findIndex((head) => head.textContent.startsWith(title));
  const text = (row, title) => row.cells[column(title)].textContent;
  const equal = (title) => [...new Set(rows.map((row) => text(row, title)))]
    .map((value) => [value, (row) => text(row, title) === value]);

  /* What a reader chooses: a name, and values, each with the rows that it keeps. */
  const filters = [
    ["Machine", equal("Machine")],
    ["Cipher", equal("Cipher")],
    ["Constant time", [
      ["cycles", (row) => text(row, "Constant time").includes("cycles")],
      ["cycles and addresses", (row) => text(row, "Constant time").includes("addresses")],
    ]],
    ["Proved", [["must be", (row) => text(row, "Proved") === "yes"]]],
    ["Tables in RAM", [["none", (row) => text(row, "Tables in RAM") === "no"]]],
  ];
  const orders = [["time", "Cycles"], ["flash", "Code"], ["RAM", "RAM"]];   /* what is short, and its column */

  const select = (name, first, values) => {
    const label = document.createElement("label"), made = document.createElement("select");
    for (const value of [first, ...values]) made.add(new Option(value, value));
    label.append(name + ": ", made);
    form.append(label);
    made.addEventListener("change", show);
    return made;
  };
  const chosen = filters.map(([name, values]) => select(name, "any", values.map(([value]) => value)));
  const short = select("What is short", "nothing", orders.map(([name]) => name));
  const count = document.createElement("output");
  form.append(count);

  function show() {
    const order = orders[short.selectedIndex - 1];
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    let sorted = rows;
    if (order) {
      const known = (row) => text(row, order[1]) === "" ? Infinity : Number(text(row, order[1]));   /* unknown: last */
      sorted = [...rows].sort((a, b) => known(a) === known(b) ? 0 : known(a) - known(b));
      heads[column(order[1])].setAttribute("aria-sort", "ascending");
    }
    table.tBodies[0].append(...sorted);
    for (const row of rows) {
      row.hidden = filters.some(([, values], n) => chosen[n].selectedIndex && !values[chosen[n].selectedIndex - 1][1](row));
    }
    count.textContent = rows.filter((row) => !row.hidden).length + " of " + rows.length + " rows";
  }
  show();
}
