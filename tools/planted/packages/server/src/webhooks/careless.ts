/** Each of these looks harmless in a review. */
export function careless(save: () => Promise<void>, state: 'enabled' | 'disabled', names: string[]): string {
  save() // expect no-floating-promises
  names.forEach(save) // expect no-misused-promises
  const first = names[0]! // expect no-non-null-assertion
  const anything = names as any // expect no-explicit-any
  // expect-next switch-exhaustiveness-check
  switch (state) {
    case 'enabled':
      return first
  }
  return String(anything)
}

export default careless // expect no-default-export
