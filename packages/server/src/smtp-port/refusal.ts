/** What the other server is answered instead of 250. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly responseCode: number

  constructor(responseCode: number, text: string) {
    super(text)
    this.responseCode = responseCode
  }
}

/** Whatever nobody foresaw may pass: whoever sends keeps the mail and tries again. */
export function refusalFor(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(451, '4.3.0 Try again later')
}
