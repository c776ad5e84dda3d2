import {chromium} from 'playwright-core';
const [,, url, out, width='1280', height='900', scheme='light', script=''] = process.argv;
const browser = await chromium.launch({executablePath:'/usr/bin/chromium',args:['--headless','--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync']});
const page = await browser.newPage({viewport:{width:+width,height:+height},colorScheme:scheme,deviceScaleFactor:+(process.env.DPR??1)});
page.on('console',m=>console.log('console',m.type(),m.text()));page.on('pageerror',e=>console.log('pageerror',e.message));
await page.goto(url);await page.waitForTimeout(+(process.env.WAIT??2500));
if(script)await eval(`(async()=>{${script}})()`);
await page.screenshot({path:out,fullPage:!!process.env.FULL});
await browser.close();
