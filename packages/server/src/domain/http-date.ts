const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const longDay = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)'
const month = `(?<month>${months.join('|')})`
const time = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`

/** IMF-fixdate, and the two obsolete formats that every recipient must accept: RFC 850 and asctime. */
const forms = [
  new RegExp(String.raw`^${day}, (?<date>\d\d) ${month} (?<year>\d{4}) ${time} GMT$`),
  new RegExp(String.raw`^${longDay}, (?<date>\d\d)-${month}-(?<year>\d\d) ${time} GMT$`),
  new RegExp(String.raw`^${day} ${month} (?<date>[ \d]\d) ${time} (?<year>\d{4})$`),
]

/**
 * Parses a date of an HTTP header (RFC 9110 §5.6.7). NaN if the text is not a date. A year of two digits means the latest
 * such year that is at most 50 years ahead.
 * @example
 * httpDateMs('Sun, 06 Nov 1994 08:49:37 GMT', Date.now()) // 784111777000
 */
export function httpDateMs(text: string, nowMs: number): number {
  const found = forms.map(form => form.exec(text)?.groups).find(groups => groups !== undefined)
  if (found === undefined) return Number.NaN
  const inYear = (year: number): number => momentMs(year, found)
  const { year = '' } = found
  if (year.length === 4) return inYear(Number(year))
  const latest = new Date(nowMs)
  latest.setUTCFullYear(latest.getUTCFullYear() + 50)
  const century = Math.floor(latest.getUTCFullYear() / 100) * 100
  const inCentury = inYear(century + Number(year))
  return inCentury > latest.getTime() ? inYear(century - 100 + Number(year)) : inCentury
}

/** NaN if the date or the time of day does not exist. A minute may have a leap second. */
function momentMs(year: number, { month: name = '', ...fields }: Record<string, string>): number {
  const [date, hour, minute, second] = ['date', 'hour', 'minute', 'second'].map(field =>
    Number(fields[field]),
  )
  const dayMs = Date.UTC(year, months.indexOf(name), date)
  if (new Date(dayMs).getUTCDate() !== date) return Number.NaN
  if (hour === undefined || minute === undefined || second === undefined) return Number.NaN
  if (hour > 23 || minute > 59 || second > 60) return Number.NaN
  return dayMs + ((hour * 60 + minute) * 60 + second) * 1_000
}
