import { MailLink, TemplateNote, TextPage } from '#web/site/parts.tsx'

/** `/privacy`. */
export function PrivacyPage() {
  return (
    <TextPage title="Privacy" lead="Which data Everchart keeps, why, for how long, and whom to ask.">
      <TemplateNote />
      <h2>Visitors</h2>
      <p>
        These pages set no cookies, load nothing from other companies and count nothing. The server keeps no addresses
        of visitors in its log.
      </p>
      <h2>Newsletter</h2>
      <p>
        We keep your e-mail address and when you confirmed it, to send one letter a month. Every letter has a link that
        ends it with one click. An address that was not confirmed gets no letters.
      </p>
      <h2>Users</h2>
      <p>
        We keep your name, e-mail address and username, when you signed in, and what you did in the record of your
        practice. The law requires that a record shows who changed it.
      </p>
      <h2>Patients</h2>
      <p>
        Data of patients belongs to the practice that entered it. The practice decides what it keeps and for how long,
        and answers questions of patients about their data. Everchart processes it for the practice only, encrypted, and
        gives it to no one else. If the practice uses analysis by AI, only the data that a question needs is sent to the
        provider of the model, without names and contact data.
      </p>
      <h2>Payments</h2>
      <p>Payments are handled by a payment provider. Your card is stored there, never here.</p>
      <h2>Your rights</h2>
      <p>
        You may ask what is stored about you, have it corrected, and have it erased where the law does not require to
        keep it. <MailLink subject="Privacy">Write to us</MailLink>.
      </p>
    </TextPage>
  )
}

/** `/terms`. */
export function TermsPage() {
  return (
    <TextPage title="Terms" lead="What you get, what it costs, and how it ends. In plain words.">
      <TemplateNote />
      <h2>The service</h2>
      <p>
        Everchart keeps the record of a medical practice and helps to run it. It does not diagnose and does not replace
        the judgment of a professional. Suggestions by AI have to be checked before use.
      </p>
      <h2>Your account</h2>
      <p>
        Keep your password to yourself, and give every person of the practice an account of their own. You are
        responsible for what is done with your account.
      </p>
      <h2>Plans and payment</h2>
      <p>
        Plans are billed by the month, after a trial of 30 days. You can change or cancel a plan at any time; a
        cancelled plan runs to the end of the paid month. After the first payment you have 30 days to get your money
        back.
      </p>
      <h2>Your data</h2>
      <p>The records of a practice belong to the practice. When a plan ends, they stay available to it.</p>
      <h2>Availability and liability</h2>
      <p>
        We take care that the service is available and that nothing is lost. Keep procedures for the day on which it is
        not available, as the law requires of a practice.
      </p>
      <h2>Questions</h2>
      <p>
        <MailLink subject="Terms">Write to us</MailLink>.
      </p>
    </TextPage>
  )
}

/** `/accessibility`. */
export function AccessibilityPage() {
  return (
    <TextPage title="Accessibility" lead="Everchart is made to be used by everyone, with or without a mouse.">
      <TemplateNote />
      <h2>What we aim for</h2>
      <p>
        The Web Content Accessibility Guidelines (WCAG) 2.2, level AA, on every screen, in the light and in the dark
        theme, from 320 pixels of width and at 200% zoom.
      </p>
      <h2>How it is tested</h2>
      <p>
        Every screen is checked by a program (axe) whenever the software changes, in both themes and at several widths,
        and the ways through it are tested with the keyboard. No program finds every barrier. We have not had it tested
        by people who depend on screen readers yet.
      </p>
      <h2>What helps</h2>
      <ul className="plain">
        <li>Ctrl K (⌘ K) finds patients, appointments and screens; ? lists all keys.</li>
        <li>Colors never stand alone: a word or an icon says the same.</li>
        <li>Nothing moves if your system asks for reduced motion.</li>
      </ul>
      <h2>What is known to be missing</h2>
      <p>The application needs JavaScript. These public pages do not.</p>
      <h2>Tell us</h2>
      <p>
        If something keeps you from using Everchart, <MailLink subject="Accessibility">write to us</MailLink>.
      </p>
    </TextPage>
  )
}
