// Light, dark or as the system says; remembered on this machine where the browser allows it.

import { signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
export const theme = signal<Theme>(stored());

const key = "straw.theme";

function stored(): Theme {
  try {
    const v = localStorage.getItem(key);
    return v === "light" || v === "dark" ? v : "auto";
  } catch {
    return "auto"; // storage is blocked
  }
}

export function applyTheme(): void {
  if (theme.value === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
}

export function nextTheme(): void {
  const order: Theme[] = ["auto", "light", "dark"];
  theme.value = order[(order.indexOf(theme.value) + 1) % order.length] ?? "auto";
  applyTheme();
  try {
    if (theme.value === "auto") localStorage.removeItem(key);
    else localStorage.setItem(key, theme.value);
  } catch {
    // storage is blocked: the choice holds for this visit
  }
}
