/** `billing.acme.test`, or the text itself where it is no URL. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}
