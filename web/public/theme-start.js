// Before anything is painted: the ground has the colour that was chosen here before, not that of the computer.
const chosen = localStorage.getItem('everchart.theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.style.colorScheme = chosen
