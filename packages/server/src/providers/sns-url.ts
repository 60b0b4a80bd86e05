/** Whether a URL is of Amazon SNS itself, so that what it returns can be trusted. */
export function isSnsUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:') return false
  const isPlain = url.port === '' && url.username === '' && url.password === ''
  return (
    isPlain && /^sns\.[a-z]{2,3}(?:-[a-z]{2,12}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?$/.test(url.hostname)
  )
}

/** Whether a URL is of a certificate that Amazon SNS signs with. */
export function isSnsCertificateUrl(text: string): boolean {
  if (!isSnsUrl(text)) return false
  const { pathname, search, hash } = new URL(text)
  return (
    /^\/SimpleNotificationService-[0-9A-Za-z]{1,128}\.pem$/.test(pathname) && search === '' && hash === ''
  )
}
