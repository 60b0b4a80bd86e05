/**
 * Faults for people who do not see colours or motion. Each function runs in the page, so it must not use this
 * module's scope.
 */

/** Buttons and fields without a border, and focused elements without an outline. */
export function withoutEdge(): string[] {
  const places = [
    ...document.querySelectorAll<HTMLElement>('button, input, select, textarea, summary, a[href]'),
  ]
  return places
    .filter(place => place.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .flatMap(place => {
      const { borderTopWidth, borderTopStyle } = getComputedStyle(place)
      const isBox = place.matches(
        'button:not([aria-label]), input:not([type=radio], [type=checkbox], [type=file]), textarea',
      )
      const hasBorder = Number.parseFloat(borderTopWidth) >= 1 && borderTopStyle !== 'none'
      place.focus({ preventScroll: true })
      const name = (place.innerText || place.getAttribute('aria-label') || place.id).slice(0, 40)
      const outlines = [place, place.closest('label'), place.parentElement].map(
        one => one && getComputedStyle(one),
      )
      const after = getComputedStyle(place, '::after')
      const hasOutline = [...outlines, after].some(
        style =>
          style !== null && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
      )
      return [
        ...(isBox && !hasBorder ? [`no border: ${name}`] : []),
        ...(document.activeElement === place && place.matches(':focus-visible') && !hasOutline
          ? [`no outline: ${name}`]
          : []),
      ]
    })
}

/** Choices where the chosen option looks like the others. */
export function sameAsTheOthers(): string[] {
  const canvas = getComputedStyle(document.documentElement).backgroundColor
  const look = (element: Element | null): string => {
    if (element === null) return ''
    const { backgroundColor, color, outlineStyle, textDecorationLine } = getComputedStyle(element)
    const isBare = backgroundColor === canvas || backgroundColor.endsWith(', 0)')
    return [isBare ? '' : backgroundColor, color, outlineStyle, textDecorationLine].join()
  }
  const radios = [...document.querySelectorAll<HTMLInputElement>('input[type=radio].sr-only:checked')].map(
    chosen => {
      const others = [
        ...document.querySelectorAll<HTMLInputElement>(`input[name="${chosen.name}"]:not(:checked)`),
      ]
      return [chosen.closest('label'), others[0]?.closest('label') ?? null] as const
    },
  )
  const links = [...document.querySelectorAll('nav [aria-current=page]')].map(
    chosen => [chosen, chosen.closest('nav')?.querySelector('a:not([aria-current])') ?? null] as const,
  )
  return [...radios, ...links]
    .filter(([chosen, other]) => other !== null && look(chosen) === look(other))
    .map(([chosen]) => `looks like the others: ${chosen?.textContent}`)
}

/** Marks in a state's colour without a word beside them. */
export function marksWithoutWords(): string[] {
  const states = /(?:^|\s)(?:bg|text|border)-(?:delivered|failed|pending|exhausted)/
  return [...document.querySelectorAll<SVGElement>('main svg')].flatMap(mark => {
    const box = mark.closest('[class]:not(svg)')
    const looks = `${mark.getAttribute('class')} ${box?.getAttribute('class')}`
    const name = mark.getAttribute('aria-label') ?? mark.parentElement?.parentElement?.textContent ?? ''
    return states.test(looks) && name.trim() === ''
      ? [`a mark without a word: ${mark.outerHTML.slice(0, 80)}`]
      : []
  })
}

/** Running animations and transitions. */
export function moving(): string[] {
  const elements = [...document.querySelectorAll('*')].filter(element => {
    const { transitionDuration, transitionProperty, animationName } = getComputedStyle(element)
    return animationName !== 'none' || (transitionProperty !== 'none' && /[1-9]/.test(transitionDuration))
  })
  return [
    ...elements.map(element => `moves: ${element.textContent?.slice(0, 40)}`),
    ...document.getAnimations().map(({ playState }) => `an animation is ${playState}`),
  ]
}
