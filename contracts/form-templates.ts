import type { FormTemplate, Question } from './forms.ts'
import { listItemIds } from './values/form-scores.ts'
import type { FormScore, FormType } from './values/forms.ts'

const question = (
  id: string,
  type: Question['type'],
  label: string,
  more: Omit<Question, 'id' | 'type' | 'label'> = {},
): Question => ({ id, type, label, ...more })

const required = { required: true }
const ifYes = (questionId: string) => ({ shownIf: { questionId, answer: true } })

const options = (...choices: readonly (readonly [value: string, label: string])[]) => ({
  options: choices.map(([value, label]) => ({ value, label })),
})
const scale = (...labels: readonly string[]) =>
  options(...labels.map((label, index) => [String(index), label] as const))

const intake: FormTemplate = {
  formType: 'intake',
  version: 1,
  title: 'General adult intake',
  groups: [
    {
      id: 'reason',
      title: 'Reason for the appointment',
      questions: [
        question('reason', 'text', 'What brings you here?', required),
        question('reason-since', 'text', 'Since when have you had this?'),
        question('operations', 'text', 'Which operations have you had so far?'),
      ],
    },
    {
      id: 'medicines',
      title: 'Medicines and allergies',
      questions: [
        question('medicines', 'text', 'Which medicines do you take, and how much of each?'),
        question('has-allergies', 'yes-no', 'Do you have allergies?', required),
        question('allergies', 'text', 'Which allergies do you have?', { ...required, ...ifYes('has-allergies') }),
        question('medicine-reactions', 'text', 'Has a medicine ever made you feel unwell? Which one, and how?'),
      ],
    },
    {
      id: 'habits',
      title: 'Family and habits',
      questions: [
        question('family-illnesses', 'text', 'Which illnesses run in your family?'),
        question('smokes', 'yes-no', 'Do you smoke?', required),
        question('cigarettes-per-day', 'number', 'How many cigarettes do you smoke?', {
          min: 0,
          max: 200,
          unit: 'a day',
          ...ifYes('smokes'),
        }),
        question(
          'alcohol',
          'choice',
          'How often do you drink alcohol?',
          options(
            ['never', 'Never'],
            ['monthly', 'Monthly or less'],
            ['weekly', 'Up to four times a month'],
            ['several-weekly', 'Two or three times a week'],
            ['most-days', 'Four or more times a week'],
          ),
        ),
        question('exercise', 'text', 'How do you exercise, and how often?'),
      ],
    },
    {
      id: 'contact',
      title: 'Contact',
      questions: [
        question('phone', 'text', 'Phone number', required),
        question('address', 'text', 'Address'),
        question('emergency-contact-name', 'text', 'Emergency contact: name', required),
        question('emergency-contact-phone', 'text', 'Emergency contact: phone number', required),
      ],
    },
    {
      id: 'signature',
      title: 'Signature',
      questions: [question('signature', 'signature', 'Signed by', required)],
    },
  ],
}

const medicalHistory: FormTemplate = {
  formType: 'medical-history',
  version: 1,
  title: 'Medical history',
  groups: [
    {
      id: 'conditions',
      title: 'Conditions',
      questions: [
        question(
          'conditions',
          'several',
          'Which of these conditions do you have, or have you had?',
          options(
            ['asthma', 'Asthma'],
            ['cancer', 'Cancer'],
            ['chronic-kidney-disease', 'Chronic kidney disease'],
            ['chronic-lung-disease', 'Chronic lung disease (COPD)'],
            ['depression-anxiety', 'Depression or anxiety'],
            ['diabetes', 'Diabetes'],
            ['epilepsy', 'Epilepsy or seizures'],
            ['heart-disease', 'Heart disease'],
            ['high-blood-pressure', 'High blood pressure'],
            ['high-cholesterol', 'High cholesterol'],
            ['liver-disease', 'Liver disease'],
            ['stroke', 'Stroke'],
            ['thyroid-disease', 'Thyroid disease'],
          ),
        ),
        question('other-conditions', 'text', 'Which other conditions do you have?'),
      ],
    },
    {
      id: 'treatments',
      title: 'Operations and hospital stays',
      questions: [
        question('operations', 'text', 'Which operations have you had, and when?'),
        question('hospital-stays', 'text', 'Which hospital stays have you had, and why?'),
      ],
    },
    {
      id: 'medicines',
      title: 'Allergies and medicines',
      questions: [
        question('allergies', 'text', 'Which allergies do you have? Write "none" if you know of none.', required),
        question('medicines', 'text', 'Which medicines do you take? Write "none" if you take none.', required),
      ],
    },
    {
      id: 'more',
      title: 'Family, immunizations and pregnancy',
      questions: [
        question('family-illnesses', 'text', 'Which illnesses run in your family?'),
        question('immunizations', 'text', 'Which immunizations have you had, and when?'),
        question(
          'pregnancy',
          'choice',
          'Are you pregnant?',
          options(['yes', 'Yes'], ['no', 'No'], ['not-sure', 'Not sure'], ['not-applicable', 'Does not apply to me']),
        ),
      ],
    },
  ],
}

const consent: FormTemplate = {
  formType: 'consent',
  version: 1,
  title: 'Consent to a procedure',
  groups: [
    {
      id: 'procedure',
      title: 'Procedure',
      questions: [
        question('procedure', 'text', 'Which procedure is planned?', required),
        question('explained-by', 'text', 'Who explained it to you?', required),
        question('understood', 'yes-no', 'Have you understood what is done, its risks and the alternatives?', required),
        question('questions', 'text', 'Which questions do you still have?'),
      ],
    },
    {
      id: 'consent',
      title: 'Consent',
      questions: [
        question('agrees', 'yes-no', 'Do you agree to this procedure?', required),
        question('date', 'date', 'Date', required),
        question('signature', 'signature', 'Signed by', required),
      ],
    },
  ],
}

const insurance: FormTemplate = {
  formType: 'insurance',
  version: 1,
  title: 'Insurance',
  groups: [
    {
      id: 'policy',
      title: 'Policy',
      questions: [
        question('insurer', 'text', 'Insurance company', required),
        question('policy-number', 'text', 'Policy number', required),
        question('group-number', 'text', 'Group number'),
        question('valid-until', 'date', 'Valid until, if your card shows a date'),
      ],
    },
    {
      id: 'member',
      title: 'Member',
      questions: [
        question('member-name', 'text', 'Name of the member, as on the card', required),
        question('member-date-of-birth', 'date', "The member's date of birth", required),
        question('relationship', 'choice', 'The member is', {
          ...required,
          ...options(
            ['self', 'Myself'],
            ['spouse', 'My spouse'],
            ['parent', 'My parent'],
            ['child', 'My child'],
            ['other', 'Another person'],
          ),
        }),
      ],
    },
    {
      id: 'secondary',
      title: 'Secondary coverage',
      questions: [
        question('has-secondary', 'yes-no', 'Do you have a second insurance?', required),
        question('secondary-insurer', 'text', 'Second insurance company', { ...required, ...ifYes('has-secondary') }),
        question('secondary-policy-number', 'text', 'Policy number of the second insurance', {
          ...required,
          ...ifYes('has-secondary'),
        }),
      ],
    },
  ],
}

const frequency = scale('Not at all', 'Several days', 'More than half the days', 'Nearly every day')
const difficulty = scale('Not difficult at all', 'Somewhat difficult', 'Very difficult', 'Extremely difficult')
const difficultyLabel =
  'If you checked off any problems, how difficult have these problems made it for you to do your work, take care of things at home, or get along with other people?'

const instrumentGroup = (instrument: FormScore['instrument'], id: string, items: readonly string[]) => ({
  id,
  title: `${instrument}: Over the last 2 weeks, how often have you been bothered by any of the following problems?`,
  questions: [
    ...listItemIds(instrument).map((itemId, index) => question(itemId, 'scale', items[index] ?? '', frequency)),
    question(`${id}-difficulty`, 'scale', difficultyLabel, difficulty),
  ],
})

/**
 * The published English texts of PHQ-9 (Kroenke, Spitzer, Williams 2001) and GAD-7 (Spitzer, Kroenke, Williams, Löwe 2006), to be
 * reproduced and used without permission (phqscreeners.com). Their wording is part of what was validated: do not edit it.
 */
const assessment: FormTemplate = {
  formType: 'assessment',
  version: 1,
  title: 'Mood and anxiety (PHQ-9 and GAD-7)',
  groups: [
    instrumentGroup('PHQ-9', 'phq9', [
      'Little interest or pleasure in doing things',
      'Feeling down, depressed, or hopeless',
      'Trouble falling or staying asleep, or sleeping too much',
      'Feeling tired or having little energy',
      'Poor appetite or overeating',
      'Feeling bad about yourself — or that you are a failure or have let yourself or your family down',
      'Trouble concentrating on things, such as reading the newspaper or watching television',
      'Moving or speaking so slowly that other people could have noticed? Or the opposite — being so fidgety or restless that you have been moving around a lot more than usual',
      'Thoughts that you would be better off dead or of hurting yourself in some way',
    ]),
    instrumentGroup('GAD-7', 'gad7', [
      'Feeling nervous, anxious or on edge',
      'Not being able to stop or control worrying',
      'Worrying too much about different things',
      'Trouble relaxing',
      'Being so restless that it is hard to sit still',
      'Becoming easily annoyed or irritable',
      'Feeling afraid as if something awful might happen',
    ]),
  ],
}

/** Every version of every template. A form keeps the version with which it was begun, so versions are added, never edited. */
export const formTemplates: readonly FormTemplate[] = [intake, medicalHistory, consent, insurance, assessment]

/** Returns a template, the newest one without a version; undefined when there is none. */
export function findTemplate(formType: FormType, version?: number): FormTemplate | undefined {
  const ofType = formTemplates.filter((template) => template.formType === formType)
  if (version !== undefined) return ofType.find((template) => template.version === version)
  return ofType.toSorted((a, b) => b.version - a.version)[0]
}

/** Returns the questions of a template in their order. */
export const listQuestions = (template: FormTemplate): Question[] =>
  template.groups.flatMap(({ questions }) => questions)
