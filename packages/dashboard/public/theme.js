// Runs before the first paint, so that the page does not flash in the other theme.
{
  let theme = null
  try {
    theme = new URLSearchParams(location.search).get('theme') ?? localStorage.getItem('posthorn.theme')
  } catch {
    // some frames deny storage, so use the system's theme
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
