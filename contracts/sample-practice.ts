/**
 * The fixed figures that demo users and the public `/demo` page see (product.md 1). Subscribers see computed figures
 * instead.
 */

/** The texts below the four figures of the dashboard (spec page 1, section 2). */
export const sampleTrendTexts = {
  todaysAppointments: '+12% from yesterday',
  totalPatients: '+8 new this week',
  aiInsights: '+23% this month',
  revenue: '+15% vs last month',
} as const

/** The four figures of the public demo. */
export const sampleStats = {
  todaysAppointments: 12,
  totalPatients: 1_248,
  aiInsights: 89,
  revenueCents: 48_920_00,
} as const

/** The histories of the four figures, oldest first. */
export const sampleHistories = {
  todaysAppointments: [9, 11, 8, 10, 12, 10.7, 12],
  totalPatients: [1_219, 1_222, 1_229, 1_233, 1_238, 1_240, 1_248],
  aiInsights: [58, 61, 60, 68, 72, 80, 89],
  revenue: [31, 34, 33, 38, 41, 44, 49],
} as const

/** The badges of the sidebar's Appointments entry and of the notification button. */
export const sampleBadges = { appointments: 12, notifications: 3 } as const

/** The user shown in the public demo. */
export const sampleOwner = { firstName: 'Sarah', lastName: 'Mitchell' } as const

/** The notifications of the demo, as many as its badge shows. */
export const sampleNotifications = [
  { title: 'New patient intake came in', detail: 'Fatima Bennani, waiting for a review', minutesAgo: 6 },
  {
    title: 'Four appointments tomorrow are not confirmed',
    detail: 'Two of these patients missed an appointment this year',
    minutesAgo: 25,
  },
  { title: 'Medical history update was reviewed', detail: 'Robert Hayes', minutesAgo: 60 },
] as const

/** The appointments of a week by weekday; the same for every chosen period. */
export const sampleTrends = [
  { day: 'Mon', scheduled: 18, completed: 15, cancelled: 2 },
  { day: 'Tue', scheduled: 22, completed: 19, cancelled: 1 },
  { day: 'Wed', scheduled: 15, completed: 12, cancelled: 2 },
  { day: 'Thu', scheduled: 24, completed: 20, cancelled: 3 },
  { day: 'Fri', scheduled: 21, completed: 17, cancelled: 2 },
  { day: 'Sat', scheduled: 9, completed: 8, cancelled: 1 },
  { day: 'Sun', scheduled: 5, completed: 5, cancelled: 0 },
] as const

/** The system status: services, uptime and response time. */
export const sampleSystem = {
  services: [
    { name: 'Database', status: 'operational' },
    { name: 'AI services', status: 'active' },
    { name: 'Payment processing', status: 'connected' },
    { name: 'Email services', status: 'rate_limited' },
  ],
  uptime: '99.9%',
  responseTime: '< 200ms',
} as const

/** The states of the services outside of Everchart (spec page 2, section 2.8). */
export const sampleIntegrations = [
  { name: 'ai', status: 'connected' },
  { name: 'payments', status: 'connected' },
  { name: 'email', status: 'rate_limited' },
  { name: 'database', status: 'operational' },
] as const

/** The HIPAA safeguards, which the demo shows as active (spec page 2, section 2.8). */
export const sampleSafeguards = ['Data Encryption', 'Audit Logging', 'Access Controls', 'Secure Transmission'] as const

export const sampleInsights = [
  {
    type: 'alert',
    priority: 'high',
    title: 'Four appointments tomorrow are not confirmed',
    message: 'Two have missed an appointment this year. A call today keeps the slots filled.',
  },
  {
    type: 'optimization',
    priority: 'medium',
    title: 'Wednesday afternoons stay half empty',
    message: 'Offering them for follow-ups would shorten the wait by three days.',
  },
  {
    type: 'recommendation',
    priority: 'low',
    title: 'Nine check-ups are overdue',
    message: 'The patients were last seen over a year ago.',
  },
] as const

/** The forms of the sample practice; `daysAgo` is counted from today. */
export const sampleForms = [
  { title: 'New patient intake', person: 5, daysAgo: 0, status: 'pending', analysed: true },
  { title: 'Medical history update', person: 8, daysAgo: 1, status: 'reviewed', analysed: true },
  { title: 'Consent for procedure', person: 8, daysAgo: 1, status: 'pending', analysed: false },
  { title: 'Insurance information', person: 7, daysAgo: 2, status: 'completed', analysed: true },
  { title: 'Asthma assessment', person: 9, daysAgo: 3, status: 'completed', analysed: true },
] as const

/** The patients of Recent Patient Activity, with the time since their last activity in minutes. */
export const sampleActivity = [
  { person: 0, minutesAgo: 2 },
  { person: 1, minutesAgo: 14 },
  { person: 2, minutesAgo: 38 },
  { person: 3, minutesAgo: 60 },
  { person: 4, minutesAgo: 120 },
] as const

/** The seed of the random generator of the demo's appointments. */
export const sampleSeed = 20_261_121

/** The thresholds after which the demo suggests a subscription: milliseconds after loading, or clicks. */
export const demoPrompt = { afterMs: 120_000, afterClicks: 5 } as const

/** The billing tab of the demo's settings (spec page 2, section 2.8); `amount` in cents per month. */
export const sampleBilling = { plan: 'Professional Healthcare Plan', amount: 299_00, nextBilling: 'Sep 28' } as const

/** The use of insights (spec page 2, section 2.4); the accuracy is in percent. */
export const sampleInsightUsage = { insightsGenerated: 89, formsAnalyzed: 156, accuracy: 98 }

/** The four fixed figures above the automation hub (spec page 1, section 2). */
export const sampleAutomationFigures = [
  { key: 'efficiency', label: 'Automation Efficiency', value: '94.2%', note: 'done without a person' },
  { key: 'interactions', label: 'AI Interactions', value: '1,247', note: 'calls, forms and notes' },
  { key: 'time', label: 'Time Saved', value: '127 hrs', note: 'about 29 hours a week' },
  { key: 'savings', label: 'Cost Savings', value: '$14,250', note: 'at $112 an hour' },
] as const

/** The counts of the automation hub's overview; `averageDuration` in seconds. */
export const sampleAutomationStats = {
  appointmentConfirmations: { total: 260, sent: 47, confirmed: 186, pending: 15, declined: 9, failed: 3 },
  priorAuthorizations: { total: 42, approved: 31, pending: 8, denied: 3 },
  callLogs: { total: 353, aiHandled: 312, transferredToHuman: 41, averageDuration: 142 },
  clinicalDocs: { total: 196, aiGenerated: 184, providerApproved: 171, pending: 25 },
  supplyOrders: { total: 18, autoOrdered: 11, pending: 4, delivered: 14 },
} as const

/** The log of the automation hub, newest first. */
export const sampleAutomationActivity = [
  {
    title: 'Grace Liu confirmed 4:00 PM',
    detail: 'Appointments, answer to a text message',
    at: '10:38 AM',
    status: 'confirmed',
  },
  {
    title: 'Prior authorization for Robert Hayes approved',
    detail: 'Insurance, Summit Mutual, number PA-20418',
    at: '10:21 AM',
    status: 'approved',
  },
  {
    title: 'Note for Tom Becker drafted',
    detail: 'Clinical, waits for Dr. Amara Chen',
    at: '10:07 AM',
    status: 'pending',
  },
  {
    title: 'Reminder to Ella Johansson not delivered',
    detail: 'Appointments, the number is not in use',
    at: '9:52 AM',
    status: 'failed',
  },
  {
    title: 'Gloves, size M, ordered again',
    detail: 'Supplies, 40 boxes, delivery on Tuesday',
    at: '8:00 AM',
    status: 'completed',
  },
] as const

/** The four confirmations that the demo shows (spec page 2, section 7). Hours are counted from now. */
export const sampleConfirmations = [
  {
    name: 'Grace Liu',
    channel: 'sms',
    to: '(555) 014-0198',
    status: 'confirmed',
    startsIn: 4,
    sentAgo: 20,
    answeredAgo: 2,
  },
  {
    name: 'Hannah Novak',
    channel: 'sms',
    to: '(555) 014-0161',
    status: 'declined',
    startsIn: 2,
    sentAgo: 22,
    answeredAgo: 5,
  },
  {
    name: 'Marcus Reid',
    channel: 'email',
    to: 'marcus.reid@example.com',
    status: 'sent',
    startsIn: 22,
    sentAgo: 2,
    answeredAgo: null,
  },
  {
    name: 'Ella Johansson',
    channel: 'sms',
    to: '(555) 014-0133',
    status: 'failed',
    startsIn: 5,
    sentAgo: 3,
    answeredAgo: null,
  },
] as const

/** The fixed figures of Practice Analytics in the demo (spec page 2, section 2.7). */
export const sampleAnalytics = {
  growth: '+8.2%',
  rate: '92.4%',
  revenue: '+15.3%',
  satisfaction: '4.8/5',
  score: '92.3',
  scoreLabel: 'Excellent',
  marks: [
    { label: 'Patient Satisfaction', part: 96, shown: '4.8/5' },
    { label: 'Appointment Utilization', part: 92, shown: '92%' },
    { label: 'Insurance Processing', part: 87, shown: '87%' },
    { label: 'Form Completion Rate', part: 94, shown: '94%' },
  ],
  /** Appointments of 13 weeks: scheduled, completed, cancelled; and revenue in dollars, beside that of the weeks before. */
  weeks: [
    [80, 75, 4, 12_400, 11_400],
    [85, 79, 5, 13_200, 11_800],
    [69, 65, 3, 11_300, 12_000],
    [90, 82, 7, 14_200, 11_300],
    [92, 86, 5, 14_700, 12_200],
    [87, 81, 5, 13_800, 12_800],
    [94, 88, 5, 15_400, 12_400],
    [83, 76, 6, 13_500, 13_000],
    [95, 89, 5, 15_700, 12_600],
    [99, 93, 5, 16_400, 13_400],
    [95, 90, 4, 15_600, 13_100],
    [103, 97, 5, 17_000, 13_700],
    [110, 91, 7, 16_300, 14_600],
  ],
} as const
