// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds a button to each code block that copies it. Browsers have no clipboard on pages of plain HTTP.
document.addEventListener("DOMContentLoaded", () => {
  if (!navigator.clipboard) return;
  for (const code of document.querySelectorAll("div.highlight > pre")) {
    if (code.closest(".highlight-none")) continue;  // output
    const button = document.createElement("button");
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    code.after(button);
  }
});
