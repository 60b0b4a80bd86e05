/** What can be found wrong on a page by looking. Each of these runs in the page, so it stands alone. */

/** As somebody does who needs room between letters and lines (WCAG 1.4.12). */
export function spaceTexts(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-bottom: 2em !important }`)
  document.adoptedStyleSheets = [sheet]
}

/** As before. */
export function spaceTextsNoMore(): void {
  document.adoptedStyleSheets = []
}

/** That the page is wider than its window, and the innermost elements that reach beyond it. */
export function widerThanWindow(): string[] {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const wide = [...document.querySelectorAll<HTMLElement>('body *')].filter(
    element => element.getBoundingClientRect().right > innerWidth + 1,
  )
  const innermost = wide.filter(element => !wide.some(other => other !== element && element.contains(other)))
  return innermost.map(
    element =>
      `scrolls sideways: <${element.tagName.toLowerCase()}> ${element.innerText?.slice(0, 60) ?? ''}`,
  )
}

/** Texts that their own box cuts off, and that stand whole nowhere else. */
export function clippedTexts(): string[] {
  return [...document.querySelectorAll<HTMLElement>('body *')].flatMap(element => {
    const { overflowX, overflowY, clipPath } = getComputedStyle(element)
    const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    // what is there for screen readers alone is clipped on purpose
    if (!isShown || clipPath !== 'none' || element.closest('[title], [aria-label=Loading]') !== null)
      return []
    // a link leads to what it shows one line of, as a row's does; but a row's state stands there whole
    const link =
      element.closest('a') ??
      element.querySelector('a') ??
      element.closest('[role=row]')?.querySelector('[data-row-link]')
    const isCut =
      (/hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (/hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 1)
    const text = element.innerText?.trim() ?? ''
    const isState = /^(Delivered|Failed|Pending|Exhausted)/.test(text)
    const isLost = isCut && text !== '' && (isState || !(link instanceof HTMLElement))
    return isLost ? [`cut off: ${text.slice(0, 60)}`] : []
  })
}
