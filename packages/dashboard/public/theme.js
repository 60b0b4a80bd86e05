// Runs before the first paint, so that the page does not flash in the other theme.
{
  let theme = null
  try {
    theme = new URLSearchParams(location.search).get('theme') ?? localStorage.getItem('posthorn.theme')
  } catch {
    // storage is denied in some frames: the system's theme then
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
