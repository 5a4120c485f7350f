import type { CurrentUser } from '#contracts/accounts.ts'
import type { Permission } from '#contracts/values/roles.ts'

const questions: readonly { text: string; permission: Permission | null }[] = [
  { text: "Who's next?", permission: 'scheduling' },
  { text: 'Show me tomorrow', permission: 'scheduling' },
  { text: 'Who has not confirmed for tomorrow?', permission: 'scheduling' },
  { text: 'Which slots are free this week?', permission: 'scheduling' },
  { text: 'Which forms wait for review?', permission: 'patients:read' },
  { text: 'How many patients do we have?', permission: null },
]

/** Returns questions to begin with, as far as the role of the user includes their answers. */
export const listSuggestions = ({ permissions }: Pick<CurrentUser, 'permissions'>): string[] =>
  questions.flatMap(({ text, permission }) => (permission === null || permissions.includes(permission) ? [text] : []))
