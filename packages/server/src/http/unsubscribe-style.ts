import { buttonColors } from '../domain/button-colors.ts'

const cards = { light: '#ffffff', dark: '#1d1d21' }

/** The style of the pages for recipients. It is part of the page, so the page needs no second request. */
export function unsubscribeStyle(color: string | null): string {
  return style + (color === null ? '' : brandStyle(color))
}

/** @param color such as `#1d4ed8` */
function brandStyle(color: string): string {
  const { text, needsBorder } = buttonColors(color, cards)
  const edge = (isNeeded: boolean): string => `--brand-edge: ${isNeeded ? 'var(--edge)' : color};`
  return `
:root { --brand: ${color}; --on-brand: ${text}; ${edge(needsBorder.light)} }
@media (prefers-color-scheme: dark) { :root { ${edge(needsBorder.dark)} } }
`
}

/** Radio buttons and focus rings stay in the colors of the page: a brand color may be too pale for them. */
const style = `
:root {
  color-scheme: light dark;
  --page: #f3f2ef; --card: ${cards.light}; --line: #dddbd5; --edge: #76747c;
  --ink: #1b1b1f; --ink-2: #56545c; --focus: #1f5fd0;
  --brand: var(--ink); --on-brand: var(--card); --brand-edge: var(--ink);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #121214; --card: ${cards.dark}; --line: #34343a; --edge: #8b8a93;
    --ink: #ededf0; --ink-2: #b0afb8; --focus: #8ab4ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 1rem; min-height: 100vh; min-height: 100dvh; display: grid; align-items: center; justify-items: center;
  background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%;
}
main {
  width: 100%; max-width: 28rem; padding: 1.75rem 2rem 2rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.75rem; overflow-wrap: anywhere;
}
@media (max-width: 30rem) {
  body { padding: 0.75rem; align-items: start; }
  main { padding: 1.25rem 1.25rem 1.5rem; }
}
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; padding-bottom: 1.25rem; border-bottom: 1px solid var(--line); }
header img { display: block; max-width: min(12rem, 100%); height: auto; max-height: 3rem; object-fit: contain; }
@media (prefers-color-scheme: dark) {
  header img { padding: 0.25rem; background: #ffffff; border-radius: 0.375rem; }
}
header p { margin: 0; flex: 1 1 12rem; }
.sender { font-weight: 600; line-height: 1.3; }
.address { color: var(--ink-2); font-size: 0.875rem; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.25; font-weight: 650; text-wrap: balance; }
header + h1 { margin-top: 1.25rem; }
p { margin: 0.75rem 0 0; text-wrap: pretty; }
.note { color: var(--ink-2); font-size: 0.875rem; }
form { margin: 1.25rem 0 0; }
form + form { margin-top: 0.75rem; }
form p { margin: 0 0 0.5rem; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
label { display: flex; gap: 0.625rem; align-items: start; padding: 0.625rem 0; }
fieldset label + label { border-top: 1px solid var(--line); }
legend + label { margin-top: 0.25rem; }
input[type="radio"] { flex: none; width: 1.125rem; height: 1.125rem; margin: 0.1875rem 0 0; accent-color: var(--ink); }
fieldset + button { margin-top: 0.75rem; }
button {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid var(--brand-edge); border-radius: 0.5rem;
  background: var(--brand); color: var(--on-brand); font: inherit; font-weight: 600; cursor: pointer; overflow-wrap: anywhere;
}
button.quiet { background: transparent; color: var(--ink); border-color: var(--edge); }
@media (forced-colors: active) { button { background: ButtonFace; color: ButtonText; } }
button:hover { text-decoration: underline; text-underline-offset: 0.2em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`
