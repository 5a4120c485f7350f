const all = ['confirmations'] as const

/** Query keys of the questions to patients whether an appointment suits. */
export const confirmationKeys = {
  all,
  page: (query: object) => [...all, 'list', query],
  ofAppointment: (appointmentId: string) => [...all, 'of-appointment', appointmentId],
  one: (confirmationId: string) => [...all, 'one', confirmationId],
} as const
