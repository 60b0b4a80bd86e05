import type fc from 'fast-check'

/** A function that reads input from outside. */
export interface Reader {
  name: string
  inputs: fc.Arbitrary<Buffer>
  /** Throws if the reader throws a forbidden error or accepts what it must refuse. */
  read: (bytes: Buffer) => void | Promise<void>
  /** Its share of a thousand inputs. */
  share: number
}

/** Throws what `read` throws, unless it is of this class. */
export async function onlyThrows(
  declared: new (...args: never[]) => Error,
  read: () => void | Promise<void>,
): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof declared)) throw error
  }
}
