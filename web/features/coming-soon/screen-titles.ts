const titleByPath: Record<string, string> = {
  '/': 'Dashboard Overview',
  '/dashboard': 'Dashboard Overview',
  '/appointments': 'Appointment Management',
  '/analytics': 'Practice Analytics',
  '/automation': 'Healthcare Automation Hub',
  '/under-development': 'Feature Under Development',
}

/** Returns the title of a future screen. */
export const getScreenTitle = (path: string): string => titleByPath[path.replace(/(?<=.)\/$/, '')] ?? 'Everchart'
