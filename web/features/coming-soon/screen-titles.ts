const titleByPath: Record<string, string> = {
  '/': 'Dashboard Overview',
  '/dashboard': 'Dashboard Overview',
  '/appointments': 'Appointment Management',
  '/ai-insights': 'AI Insights',
  '/forms': 'Forms & Intake',
  '/insurance': 'Insurance Management',
  '/analytics': 'Practice Analytics',
  '/automation': 'Healthcare Automation Hub',
  '/under-development': 'Feature Under Development',
  '/landing': 'Everchart',
  '/demo': 'Live Demo',
  '/features/ai-insights': 'AI Insights',
  '/features/smart-scheduling': 'Smart Scheduling',
  '/features/intelligent-forms': 'Intelligent Forms',
  '/features/patient-management': 'Patient Management',
  '/features/analytics': 'Analytics',
  '/features/team-management': 'Team Management',
}

/** Returns the title of a future screen. */
export const getScreenTitle = (path: string): string => titleByPath[path.replace(/(?<=.)\/$/, '')] ?? 'Everchart'
