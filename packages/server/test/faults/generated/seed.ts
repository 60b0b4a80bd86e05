/** The value of `FAULT_SEED`, which repeats the inputs of a run, or a random seed. */
export function newSeed(): number {
  const given = process.env['FAULT_SEED']
  return given === undefined ? Math.floor(Math.random() * 0x40000000) : Number(given)
}
