import type { PictureName } from '#web/site/picture.tsx'

type Part = { title: string; text: string }

/** The content of a feature page. */
export type Feature = {
  path: `/features/${string}`
  name: string
  headline: string
  lead: string
  picture: { name: PictureName; alt: string }
  parts: readonly Part[]
  /** Figures of the sample practice (spec page 1, section 2); they are marked as examples once a page. */
  figures?: readonly { value: string; label: string }[]
  /** The roles, with the permissions of each. */
  roles?: readonly Part[]
}

/** The six feature pages (spec page 1, section 2). */
export const features: readonly Feature[] = [
  {
    path: '/features/ai-insights',
    name: 'AI Insights',
    headline: 'Hints that name their reasons.',
    lead: 'Unconfirmed appointments, overdue follow-ups, half-empty afternoons. Everchart points at them, says what it rests on, and leaves the decision to you.',
    picture: { name: 'insights', alt: 'The AI Insights of the dashboard: three hints, each with its priority' },
    parts: [
      { title: 'Says why', text: 'Each hint names the records behind it. Open them and see for yourself.' },
      {
        title: 'Proposes, never acts',
        text: 'Nothing is booked, sent or changed by a hint. A person of the practice decides, and the record shows who did.',
      },
      {
        title: 'Knows when it is out of date',
        text: 'A hint whose records have changed is marked, so that yesterday’s reason does not lead today.',
      },
      {
        title: 'Sees as little as possible',
        text: 'Only the data that a question needs goes to a model, without names and contact data.',
      },
    ],
    figures: [
      { value: '95%', label: 'accuracy of drafted SOAP notes' },
      { value: '20%', label: 'lower cost of supplies' },
    ],
  },
  {
    path: '/features/smart-scheduling',
    name: 'Smart Scheduling',
    headline: 'The whole day without scrolling.',
    lead: 'Height is time, side by side is an overlap, and a free slot is a button. Made for a receptionist with a phone at the ear.',
    picture: { name: 'appointments', alt: 'A day of appointments, with the free slots and the waiting room beside it' },
    parts: [
      {
        title: 'No double booking by accident',
        text: 'Two people may want the same slot in the same second: one gets it, the other sees who has it and the nearest free ones.',
      },
      {
        title: 'Series and waitlist',
        text: 'Every second Tuesday, until June. And when a slot becomes free, the patients who would like an earlier one are next to it.',
      },
      {
        title: 'Waiting room',
        text: 'Who is here, for how long, and for whom. Minutes count by themselves on every screen of the practice.',
      },
      {
        title: 'Calendars you already have',
        text: 'Doctors see their own day in their own calendar, by a private address that you can revoke.',
      },
    ],
    figures: [
      { value: '90%', label: 'of appointments confirmed' },
      { value: '70%', label: 'fewer no-shows' },
    ],
  },
  {
    path: '/features/intelligent-forms',
    name: 'Intelligent Forms',
    headline: 'Three lines instead of six pages.',
    lead: 'Patients fill in their forms before they come. You read what matters before they sit down, with the answer it was found in.',
    picture: { name: 'forms', alt: 'Recent forms with the state of their analysis' },
    parts: [
      {
        title: 'Findings with their evidence',
        text: 'Each finding points at the answer it rests on. One click shows it.',
      },
      {
        title: 'A suggestion, not a diagnosis',
        text: 'What the analysis found is marked as suggested by AI, to be checked before use.',
      },
      {
        title: 'Follows the form',
        text: 'When an answer is corrected, findings that rested on it are marked as out of date and can be analyzed again.',
      },
      { title: 'Always on the record', text: 'The form as it was submitted stays, whatever is corrected later.' },
    ],
    figures: [
      { value: '75%', label: 'of routine calls answered without staff' },
      { value: '15 h', label: 'a week saved on insurance' },
    ],
  },
  {
    path: '/features/patient-management',
    name: 'Patient Management',
    headline: 'Two letters find the patient.',
    lead: 'Misspelled, married or only half heard on the phone: the right patient is on the screen before the caller has finished.',
    picture: { name: 'patient', alt: 'The details of a patient: allergies first, then medications and appointments' },
    parts: [
      {
        title: 'Allergies first',
        text: 'Unknown, none known, or listed: three different things that look different, at the top of every chart.',
      },
      {
        title: 'Brings the old list along',
        text: 'Import the spreadsheet of your old system, see what was understood before anything is saved, and undo it for 30 days.',
      },
      {
        title: 'Nothing is overwritten',
        text: 'Two people may edit the same patient. The second one sees what the first one changed, and keeps both.',
      },
      {
        title: 'Each person sees what their work needs',
        text: 'The front desk books and calls. Medical history, allergies and medications are for nurses and doctors.',
      },
    ],
    figures: [
      { value: '1,248', label: 'patients in care' },
      { value: '+8', label: 'new ones this week' },
    ],
  },
  {
    path: '/features/analytics',
    name: 'Analytics',
    headline: 'Open any number.',
    lead: 'A figure that cannot be explained is a rumor. Here, each one opens the records it was counted from.',
    picture: { name: 'trends', alt: 'Appointments of the week: scheduled, completed and cancelled' },
    parts: [
      {
        title: 'Figures with their records',
        text: 'Twelve appointments today? Open the twelve. Revenue? Open the fees.',
      },
      {
        title: 'Counted, never invented',
        text: 'What cannot be computed yet says so. A practice’s screens show its own data and nothing else.',
      },
      {
        title: 'Can be proven',
        text: 'Every figure can be computed again from the record of the practice, and compared to the one on the screen.',
      },
      { title: 'In your time', text: 'Today is today where the practice is, also for a doctor who is traveling.' },
    ],
    figures: [
      { value: '+12%', label: 'appointments from yesterday' },
      { value: '+15%', label: 'revenue compared with last month' },
    ],
  },
  {
    path: '/features/team-management',
    name: 'Team Management',
    headline: 'The right keys from the first day.',
    lead: 'Doctors, nurses, front desk and administrators work on the same record, and each sees what their work needs.',
    picture: { name: 'settings', alt: 'The private calendar addresses of the providers, which can be revoked' },
    parts: [
      {
        title: 'One table of permissions',
        text: 'What a role may see and do is written in one place and enforced by the server, not only hidden on the screen.',
      },
      { title: 'Every refusal is recorded', text: 'Who tried what, and when, is part of the record.' },
      {
        title: 'A price for the practice',
        text: 'Plans count providers and patients, not logins: the front desk costs nothing extra.',
      },
      {
        title: 'Changes at once',
        text: 'When a role changes, the server follows in the same moment, without signing in again.',
      },
    ],
    roles: [
      { title: 'Doctors', text: 'Full patient access, prescribing, clinical decision support.' },
      { title: 'Nurses', text: 'Patient care, vitals, medication administration.' },
      { title: 'Admin Staff', text: 'Scheduling, billing, insurance verification, basic patient info.' },
      { title: 'Administrators', text: 'Full access, user management, analytics, configuration.' },
      { title: 'Reviewers', text: 'Read-only access to patient records and the audit trail, until a last day.' },
    ],
  },
]
