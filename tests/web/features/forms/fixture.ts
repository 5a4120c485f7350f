import type { FormTemplate, Question } from '#contracts/forms.ts'

const question = (id: string, type: Question['type'], more: Partial<Question> = {}): Question => ({
  id,
  type,
  label: `Question ${id}`,
  ...more,
})

/** A template in which one answer asks for another, which asks for a third in a group of its own. */
export const template: FormTemplate = {
  formType: 'intake',
  version: 1,
  title: 'Intake',
  groups: [
    {
      id: 'reason',
      title: 'Reason',
      questions: [question('reason', 'text', { required: true }), question('since', 'date')],
    },
    {
      id: 'habits',
      title: 'Habits',
      questions: [
        question('smokes', 'yes-no', { required: true }),
        question('cigarettes', 'number', {
          min: 0,
          max: 200,
          unit: 'a day',
          required: true,
          shownIf: { questionId: 'smokes', answer: true },
        }),
        question('sports', 'several', {
          options: [
            { value: 'run', label: 'Running' },
            { value: 'swim', label: 'Swimming' },
          ],
        }),
      ],
    },
    {
      id: 'more',
      title: 'More',
      questions: [
        question('quit', 'choice', {
          shownIf: { questionId: 'cigarettes', answer: 20 },
          options: [{ value: 'soon', label: 'Soon' }],
        }),
        question('pool', 'text', { shownIf: { questionId: 'sports', answer: 'swim' } }),
      ],
    },
    { id: 'sign', title: 'Signature', questions: [question('signature', 'signature', { required: true })] },
  ],
}
