import type { AutomationTab } from './automation-search.ts'

/** The tabs that list features. */
export type FeatureTabName = Exclude<AutomationTab, 'overview' | 'appointments'>

type FeatureText = { name: string; detail: string; isAvailable: boolean; needsClearinghouse?: boolean }

const available = (name: string, detail: string): FeatureText => ({ name, detail, isAvailable: true })
const planned = (name: string, detail: string): FeatureText => ({ name, detail, isAvailable: false })

/** The features of the tabs, each with what it does. */
export const featureTabs: Record<FeatureTabName, { title: string; features: readonly FeatureText[] }> = {
  insurance: {
    title: 'Insurance',
    features: [
      available('Expiry of coverage', 'A verification expires by itself on the day after its last day.'),
      available('Check of form and dates', 'Numbers, dates and the member are checked when a policy is entered.'),
      {
        ...available('Eligibility in real time', 'An insurer is asked through a clearinghouse.'),
        needsClearinghouse: true,
      },
      available('Prior authorizations', 'Requests to insurers; an approved one expires by itself after its last day.'),
    ],
  },
  phone: {
    title: 'AI Phone System',
    features: [
      available('Log of calls', 'Who called, about what, and who calls back until when.'),
      planned('Calls answered by AI', 'Appointments and questions without a person.'),
      planned('Transfer to a person', 'A call goes to the front desk when the caller asks for it.'),
    ],
  },
  clinical: {
    title: 'Clinical Automation',
    features: [
      available('Analysis of intake forms', 'Findings with the sentence that each comes from, for a person to check.'),
      available('Notes of appointments', 'Drafts that a doctor approves; after that, addenda only.'),
      available('Referrals', 'Requests to specialists, until their report arrives.'),
    ],
  },
  supplies: {
    title: 'Supplies',
    features: [
      available('Orders', 'What was ordered, from whom, and what has arrived.'),
      available('Proposed orders', 'Proposed when little is left of an item. A person places them.'),
      available('Stock', 'What is on hand. A delivered order is added.'),
    ],
  },
}
