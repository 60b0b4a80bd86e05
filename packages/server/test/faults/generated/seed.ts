/** `FAULT_SEED` makes the same inputs again; without it each run has others. */
export function newSeed(): number {
  const given = process.env['FAULT_SEED']
  return given === undefined ? Math.floor(Math.random() * 0x40000000) : Number(given)
}
