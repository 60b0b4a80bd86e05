import { useEffect } from 'react'

/** Shows the page's name and news in the tab; `attention` puts a dot on the icon. */
export function usePageTitle(title: string, attention = false): void {
  useEffect(() => {
    pageTitle = title
    showTitle()
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    const wanted = attention ? '/favicon-attention.svg' : '/favicon.svg'
    // setting the same icon again would load it again
    if (icon !== null && icon.getAttribute('href') !== wanted) icon.href = wanted
  }, [title, attention])
}

/** Shows news before the page's name until they are cleared: `✓ Delivered`. */
export function useTitleNews(news: string | null): void {
  useEffect(() => {
    pageNews = news
    showTitle()
    return () => {
      pageNews = null
      showTitle()
    }
  }, [news])
}

let pageTitle = ''
let pageNews: string | null = null

function showTitle(): void {
  document.title = `${pageNews === null ? '' : `${pageNews} · `}${pageTitle} · Posthorn`
}
