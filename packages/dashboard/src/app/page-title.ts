import { useEffect } from 'react'

/** Shows the page's name, and what it has to say, in the tab; `attention` puts a dot on the icon. */
export function usePageTitle(title: string, attention = false): void {
  useEffect(() => {
    document.title = `${title} · Posthorn`
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    const wanted = attention ? '/favicon-attention.svg' : '/favicon.svg'
    // the same icon set again would be asked for again
    if (icon !== null && icon.getAttribute('href') !== wanted) icon.href = wanted
  }, [title, attention])
}
