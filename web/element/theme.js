/* theme - finds whether <head-light> is light or dark: as its attribute says, else as the page around it does
 * (data-theme, or a color-scheme that is one of the two), else as the browser.
 */

/** What is said, by the tag or around it; undefined where that is nothing. @param {Element} tag @param {string} theme */
export const saidTheme = (tag, theme) =>
    [
        theme,
        tag.closest('[data-theme]')?.getAttribute('data-theme'),
        getComputedStyle(tag).colorScheme,
    ].find(one => /^(dark|light)$/.test(/** @type {string} */ (one)));

/** Watches where the page around may say another one. @param {MutationObserver} observer */
export function watchAround(observer) {
    observer.observe(document.documentElement, {attributes: true});
    observer.observe(document.body, {attributes: true});
}
