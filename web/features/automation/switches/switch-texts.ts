import type { AutomationSwitch } from '#contracts/automation.ts'
import { recheckDays } from '#contracts/values/eligibility.ts'
import { asksInsurers, type SwitchableAutomation } from '#contracts/values/automation.ts'

type SwitchText = { label: string; hint: string; off: string }

/** The name of each automation, what it does, and what a practice has to do while it is off. */
export const switchTexts: Record<SwitchableAutomation, SwitchText> = {
  confirmations: {
    label: 'Ask patients about appointments',
    hint: 'Messages that are planned are withdrawn when it is switched off, and planned again when it is switched on.',
    off: 'Patients are not asked about appointments. A message leaves only when you send it again.',
  },
  eligibility: {
    label: 'Ask insurers about coverage',
    hint: 'Policies that are entered while it is off wait for a person.',
    off: 'Insurers are not asked about coverage. New policies wait for a person.',
  },
  'coverage-rechecks': {
    label: 'Ask insurers again before appointments',
    hint: `About verified policies, in the ${recheckDays.before} days before an appointment, at most every ${recheckDays.apart} days.`,
    off: 'Insurers are not asked again before appointments. Choose "Ask again" on a verification.',
  },
  'form-analysis': {
    label: 'Analyze forms when they are handed in',
    hint: 'While it is off, a form is analyzed when a member of the clinical staff asks for it.',
    off: 'Forms are not analyzed when they are handed in. Choose "Analyze now" on a form.',
  },
}

/** Describes who has switched it last, and when. `formatAt` formats an ISO instant. */
export function describeSwitch(
  { automation, isOn, isConnected, changedAt, changedBy }: AutomationSwitch,
  formatAt: (instant: string) => string,
): string {
  if (!isConnected && asksInsurers(automation)) return 'No clearinghouse is connected: people decide.'
  if (changedAt === null) return 'On from the beginning'
  const at = formatAt(changedAt).replace(/^(Today|Yesterday)/, (word) => word.toLowerCase())
  return `${isOn ? 'On' : 'Off'} since ${at}, by ${changedBy ?? 'a user of the practice'}`
}
