/** Visible faults of a page. Each function runs in the page, so it must not use this module's scope. */

/** Text spacing as WCAG 1.4.12 requires. */
export function spaceTexts(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-bottom: 2em !important }`)
  document.adoptedStyleSheets = [sheet]
}

/** Removes the text spacing. */
export function spaceTextsNoMore(): void {
  document.adoptedStyleSheets = []
}

/** Reports that the page scrolls sideways, with the innermost elements that are too wide. */
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

/** Texts that their box cuts off and that are not shown in full elsewhere. */
export function clippedTexts(): string[] {
  return [...document.querySelectorAll<HTMLElement>('body *')].flatMap(element => {
    const { overflowX, overflowY, clipPath } = getComputedStyle(element)
    const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    // text for screen readers is clipped on purpose
    if (!isShown || clipPath !== 'none' || element.closest('[title], [aria-label=Loading]') !== null)
      return []
    // a link's target shows the full text; but a row must show its state in full
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

/** Buttons beside a title or verdict that need a second row, and breadcrumbs that end with a slash. */
export function untidyHeads(): string[] {
  const actions = [...document.querySelectorAll<HTMLElement>('[data-actions]')].flatMap(row => {
    const middles = [...row.children].map(child => {
      const { top, bottom } = child.getBoundingClientRect()
      return (top + bottom) / 2
    })
    const isOneRow = Math.max(...middles) - Math.min(...middles) < 8
    return middles.length === 0 || isOneRow ? [] : [`actions in several rows: ${row.innerText.slice(0, 60)}`]
  })
  const trails = [...document.querySelectorAll<HTMLElement>('nav[aria-label=Breadcrumb]')]
    .filter(trail => /\/\s*$/.test(trail.innerText))
    .map(trail => `ends with a slash: ${trail.innerText}`)
  return [...actions, ...trails]
}
