/** Whether a plan has custom error rules (spec 7.2): every one but `free`. */
export const isPaid = (plan: string): boolean => plan !== 'free'
