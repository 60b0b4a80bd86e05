/** An SMTP reply other than 250. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly responseCode: number

  constructor(responseCode: number, text: string) {
    super(text)
    this.responseCode = responseCode
  }
}

/** Answers 451 to an unexpected error, so that the sending server tries again later. */
export function refusalFor(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(451, '4.3.0 Try again later')
}
