/** The figures of a service's `/metrics` at this moment: a name, with its labels if it has any, to its value. */
export async function serviceMetrics(url: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const values = new Map(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )
  return name => values.get(name) ?? 0
}
