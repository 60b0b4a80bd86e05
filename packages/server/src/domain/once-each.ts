/**
 * The distinct values, and the position of each given value among them, counted from one as in PostgreSQL. If few values
 * repeat often, as accounts and types do in a request, positions are much cheaper to send.
 */
export function onceEach<Value>(given: Iterable<Value>): { values: Value[]; places: number[] } {
  const placeOf = new Map<Value, number>()
  const places: number[] = []
  for (const value of given) {
    let place = placeOf.get(value)
    if (place === undefined) {
      place = placeOf.size + 1
      placeOf.set(value, place)
    }
    places.push(place)
  }
  return { values: [...placeOf.keys()], places }
}
