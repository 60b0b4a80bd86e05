/** The block list that a refusal names, such as `zen.spamhaus.org`, or null. */
export function blocklistIn(text: string): string | null {
  const short = text.slice(0, 4096).toLowerCase()
  const used =
    /\b(?:blocked|listed|blacklisted|found)\s+(?:using|at|in|by|on|via)\s+((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,18})\b/.exec(
      short,
    )
  const known =
    /\b((?:[a-z0-9-]{1,63}\.){0,4}(?:spamhaus\.org|spamcop\.net|barracudacentral\.org|sorbs\.net|abuseat\.org|uceprotect\.net))\b/.exec(
      short,
    )
  return used?.[1] ?? known?.[1] ?? null
}
