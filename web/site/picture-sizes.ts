/** Sizes of the pictures in CSS pixels. `npm run pictures` writes this file. */
export const pictureSizes = {
  dashboard: { width: 1152, height: 700 },
  'dashboard-phone': { width: 390, height: 700 },
  appointments: { width: 1152, height: 700 },
  patient: { width: 520, height: 700 },
  forms: { width: 848, height: 378 },
  insights: { width: 278, height: 588 },
  trends: { width: 555, height: 346 },
  settings: { width: 347, height: 269 },
}
