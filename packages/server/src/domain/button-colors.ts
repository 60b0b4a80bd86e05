/** How a button in a given color stays readable and visible. */
export interface ButtonColors {
  /** Black or white, whichever has more contrast. That is always at least 4.58 to 1. */
  readonly text: '#000000' | '#ffffff'
  /** Whether the button needs a border to be seen on a card of each theme. */
  readonly needsBorder: { readonly light: boolean; readonly dark: boolean }
}

/**
 * @param color such as `#1d4ed8`
 * @param cards the background behind the button in each theme
 */
export function buttonColors(
  color: string,
  cards: { readonly light: string; readonly dark: string },
): ButtonColors {
  const needsBorder = (card: string): boolean => contrast(color, card) < contrastOfControls
  return {
    text: contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000',
    needsBorder: { light: needsBorder(cards.light), dark: needsBorder(cards.dark) },
  }
}

/** The smallest contrast of a control with what is next to it (WCAG 2.2, 1.4.11). */
const contrastOfControls = 3

/** The contrast ratio of WCAG 2.2: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance(color: string): number {
  const part = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}
