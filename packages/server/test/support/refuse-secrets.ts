/** Every credential that Posthorn makes can be told by its form: docs/maintaining/secret-scanning.md. */
const forms = [
  /phk_[0-9A-Za-z]{36}/,
  /pha_[\w-]{40}/,
  /phs_[\w-]{43}/,
  /phl_[\w-]{43}/,
  /whsec_[0-9A-Za-z]{43}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
]

/**
 * Fails when something that was printed holds a credential, or one of the texts that are known to be secret. Nothing of
 * what was found is repeated but its beginning and the line's.
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
