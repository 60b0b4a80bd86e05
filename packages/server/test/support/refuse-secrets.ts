/** The forms of all credentials that Posthorn creates: docs/maintaining/secret-scanning.md. */
const forms = [
  /phk_[0-9A-Za-z]{36}/,
  /pha_[\w-]{40}/,
  /phs_[\w-]{43}/,
  /phl_[\w-]{43}/,
  /whsec_[0-9A-Za-z]{44}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
]

/**
 * Fails if the output contains a credential or a known secret. The error shows only the beginnings of the line and of the
 * secret.
 */
export function refuseSecrets(printed: string, known: readonly string[]): void {
  for (const line of printed.split('\n')) {
    const found =
      known.find(secret => secret !== '' && line.includes(secret)) ??
      forms.map(form => form.exec(line)?.[0]).find(text => text !== undefined)
    if (found !== undefined)
      throw new Error(`a secret was printed (${found.slice(0, 6)}…): ${line.slice(0, 60)}…`)
  }
}
