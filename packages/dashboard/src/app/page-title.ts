import { useEffect } from 'react'

/** Shows the page's name, and what it has to say, in the tab; `attention` puts a dot on the icon. */
export function usePageTitle(title: string, attention = false): void {
  useEffect(() => {
    document.title = `${title} · Posthorn`
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (icon !== null) icon.href = attention ? '/favicon-attention.svg' : '/favicon.svg'
  }, [title, attention])
}
