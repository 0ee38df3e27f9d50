import DualSendCore

/// What the languages call the units that MetricKit writes: its texts are `MeasurementFormatter`'s, in the language of
/// the device (`2,717秒`, `22,665千字节`).
///
/// Made from the short and long forms of Unicode CLDR 47, all locales, without those that mean two units of one
/// dimension; of minutes and hours, which MetricKit has not been seen to write, the short ones.
enum UnitWords {
  /// The unit that a text stands for. A text may mean a time in one language and a size in another.
  static func unit(_ word: String, of dimension: HealthUnit.Dimension) -> HealthUnit? {
    switch dimension {
    case .duration: durations[ExactText(word)]
    case .storage: sizes[ExactText(word)]
    default: nil
    }
  }

  private static let durations = table([
    (.milliseconds, milliseconds), (.seconds, seconds), (.minutes, minutes), (.hours, hours),
  ])
  private static let sizes = table([
    (.bytes, bytes), (.kilobytes, kilobytes), (.megabytes, megabytes), (.gigabytes, gigabytes),
  ])

  private static func table(_ lists: [(HealthUnit, String)]) -> [ExactText: HealthUnit] {
    var units: [ExactText: HealthUnit] = [:]
    for (unit, words) in lists {
      for word in words.split(separator: "|") { units[ExactText(String(word))] = unit }
    }
    return units
  }

  private static let milliseconds = """
    -il millisekonda|Millisekonn|Millisekonnen|Millisekunde|Millisekunden|Millisekunnen|Mílisẹ́kọn|\
    a vilieilennoù|de milisecunde|ezredmásodperc|filieiliad|hm|hēkonamano|ka mga millisecond|\
    ka millisecond|md|mhili-diog|mili giây|mili-diog|mili-diogan|milidetik|milieil|milieilenn|\
    milieiliad|milisaat|milisaniye|milisecunde|milisecundă|milisegondi|milisegondo|milisegundo|\
    milisegundos|milisegundu|milisek.|miliseken|milisekendh|milisekon|milisekond|milisekonda|\
    milisekondë|milisekoni ʻe|milisekund|milisekunda|milisekunde|milisekundes|milisekundi|milisekundo|\
    milisekundoj|milisekundow|milisekundy|milisekundė|milisekundės|milisekundźe|milisekundžių|\
    milisekunźe|milisekunžu|milisekúnd|milisigundu|milissegundo|milissegundos|millisakan|millisakans|\
    millisaniyə|millisec|millisecond|milliseconde|milliseconden|millisecondes|millisecondi|millisecondo|\
    milliseconds|millisecs|millisecunda|millisecundas|millisegondi|millisegondo|millisegundos|\
    millisegundu|millisekonda|millisekonde|millisekonden|millisekondes|millisekondi|millisekund|\
    millisekunda|millisekundda|millisekunde|millisekunden|millisekunder|millisekundi|millisekundir|\
    millisekundit|millisekundí|millisekunt|millisekunti|millisekuntia|millisekúnda|millisekúndur|\
    millisoniya|millisɛkɛn|millisɛkɛns|mil·lisegon|mil·lisegons|mirisegũdu rupi|mirisegũdu-ita|mn|ms|\
    ms ʻe|ms.|msan|msek|msn|mĩrisigũnu|n tmilisinin|n tmilisint|sm|vilieilenn|\
    χιλιοστά του δευτερολέπτου|χιλιοστό του δευτερολέπτου|милисекунда|милисекунде|милисекунди|\
    миллисекунд|миллисекунда|миллисекунды|миллисония|миллисөкүүндэ|миллиҫеккунт|мс|мсек|мілісекунд|\
    мілісекунда|мілісекунди|мілісекунды|мілісэкунда|мілісэкундаў|мілісэкунды|мҫ|միլիվայրկյան|մվ|\
    אלפיות שנייה|אלפית שנייה|ملي ث|ملي ثانية|ملي سيڪنڊ|ملی ثانیه|ملی ثانیې|ملی سیکنڈ|مىللى سېكۇنت|\
    مىللىسېكۇنت|ميليسەكۋند|میلی\u{200c}ثانیه|ܡܝܠܝܪ̈ܦܦܐ|ܡܝܠܝܪܦܦܐ|ߝߌ߬ߟߊ߲߬ߥߊ߰ߘߋ߲|ߝߥ|मि.से.|मिलिसे|\
    मिलिसेकंद|मिलिसेकंदांनी|मिली सेकेन्ड|मिलीसेकंड|मि॰से॰|মিঃ ছেঃ|মিলিছেকেণ্ড|মিলিসেকেন্ড|ਮਿਲੀਸਕਿੰਟ|\
    મિલિસેકન્ડ|મિસે|ମିଲିସେକେଣ୍ଡ|மி.வி.|மில்லிவிநாடி|மில்லிவிநாடிகள்|మి.సె|మిల్లీసెకను|మిల్లీసెకన్లు|\
    ಮಿ.ಸೆ.|ಮಿಲಿಸೆಕೆಂಡುಗಳು|ಮಿಲಿಸೆಕೆಂಡ್|മി.സെ.|മില്ലിസെക്കൻഡ്|මිලිතත්|මිලිතත්පර|มิลลิวินาที|ມລວ|\
    ມິນລີວິນາທີ|မီလီစက္ကန့်|მილიწამი|მწმ|ሚሊሰከንድ|ሚሊሴኮንድ|ሚሴ|ᏌᎠ|ᏌᏉ ᎢᏯᎦᎨᎵᏁᎢ ᎠᏎᏢ|ᏌᏉ ᎢᏯᎦᎨᎵᏁᎢ ᏗᏎᏢ|ម.វិ|\
    មីលី\u{200b}វិនាទី|ミリ秒|毫秒|밀리초|𑄟𑄨𑄣𑄨𑄥𑄬𑄇𑄬𑄚𑄳𑄓𑄴|𞤥𞤭𞤤𞤭𞤳𞤭𞤲𞤰𞤫|𞤥𞤭𞤤𞤭𞤳𞤭𞤲𞤰𞤫𞤪𞤫|𞤥𞤳𞤭𞤲
    """

  private static let seconds = """
    Lvplvpkuce|Okpí|Sek.|Sekonn|Sekonnen|Sekunde|Sekunden|Sekunnen|Seykn|Sẹ́kọn|a eilennoù|amasekhondi|\
    daƙiƙa|daƙiƙoƙi|de secunde|detik|dhiog|diog|diogan|dtk|eil|eilenn|eiliad|giây|hēk|hēkona|ilbiriqsi|\
    ilbrqsi|isekhondi|ka mga segundo|ka segundo|kekona|mp|másodperc|n tsinin|n tsint|na segundo|s|s ʻe|\
    s.|san|saniye|saniyə|sanîye|sec|sec.|second|seconde|seconden|secondes|secondi|secondo|seconds|\
    secont|seconts|secs|secs.|secunda|secundas|secunde|secundă|seg|seg.|segon|segondas|segondi|segondo|\
    segons|segs|segundo|segundos|segundu|segũdu|segũdu-ita|sek|sek.|sekend|sekend wo|sekendh|sekhondi|\
    sekon|sekond|sekonda|sekonde|sekonden|sekondes|sekondë|sekoni ʻe|sekund|sekunda|sekundda|sekunde|\
    sekunden|sekunder|sekundes|sekundi|sekundir|sekundit|sekundo|sekundoj|sekundow|sekundy|sekundí|\
    sekundė|sekundės|sekundźe|sekundžių|sekunt|sekunti|sekuntia|sekunźe|sekunžu|sekúnd|sekúnda|sekúndur|\
    sekọnd|shoic|sig|sig.|sigundu|sigũnu|sima sini|sn|sn.|soic|son.|soniya|sɛk|sɛkɛnsii|tsn|ìsh àáy|\
    ìṣ àáy|δευτ.|δευτερόλεπτα|δευτερόλεπτο|с|сек|сек.|секунд|секунда|секунде|секунди|секунды|сония|сэк.|\
    сэкунда|сэкундаў|сэкунды|сөк|сөкүүндэ|ҫ|ҫеккунт|վայրկյան|վրկ|שניה|שניות|שנ׳|ث|ثانية|ثانیه|ثانیې|\
    ثوان|ثوانٍ|سيڪنڊ|سیکنڈ|سیکَنڈ|سېكۇنت|سەكۋند|في سيڪنڊ|ܖ̈ܦܦܐ|ܪ̈ܦܦܐ|ܪܦܦܐ|ߝ|ߝߌ߬ߟߊ߲|से|सेकं.|सेकंड|सेकंद|\
    सेकंदांनी|सेकेन्ड|से॰|ছেকেণ্ড|সেকেন্ড|ਸਕਿੰਟ|સેકંડ|ସେକେଣ୍ଡ|விநாடி|விநாடிகள்|సె.|సెక.|సెకను|సెకన్లు|\
    ಸೆಕೆಂ|ಸೆಕೆಂಡುಗಳು|ಸೆಕೆಂಡ್|സെ.|സെക്കൻഡ്|තත්|තත්පර|วิ|วินาที|ວິ|ວິນາທີ|སྐར་ཆ་|စက္ကန့်|წამი|წმ|ሰከ|ሰከንድ|\
    ሰከንዶች|ሴኮንድ|ᎠᏎᏢ|ᏗᏎᏢ|វិនាទី|秒|秒钟|초|𐑅𐐯𐐿𐐲𐑌𐐼|𐑅𐐯𐐿𐐲𐑌𐐼𐑆|𐓰𐓘𐓲𐓟 𐓤𐓯𐓣𐓵𐓟 𐓻𐓣͘|𑄥𑄬𑄇𑄬𑄚𑄳𑄓𑄴|𞤳𞤭𞤲|𞤳𞤭𞤲𞤰𞤫|𞤳𞤭𞤲𞤰𞤮
    """

  private static let minutes = """
    Min.|Mínit|a|dakika|daq.|daqiiqo|dk.|dqqd|dəq|iminithi|ka minuto|m ʻe|m.|meletth|men|men.|mhion|min|\
    min.|mins|mins.|mion|mnt|mun|mín.|nóim|p|phút|tsd|ìsh|ìṣ|λ.|дақ|мин|мин.|мүн|хв|хв.|ր|דק׳|د|دقیقه|\
    دَقه|منٹ|منٽ|مىنۇت|مينۋت|میلٹ|ܩܛܝܢ̈ܐ|ܩܛܝܢܐ|ߡߌ߬ߛ|मिनि|मिनीट|मिनेट|मि॰|মিনিট|ਮਿੰਟ|મિનિટ|\
    ମିନିଟ୍\u{200c}|நிமிட|நிமிடம்|నిమి.|ನಿಮಿ|മി.|මිනි|นาที|ນທ|မိနစ်|წთ|ደቂ|ደቂቃ|ደቒቓ|ᎢᏯᏔ|នាទី|分|分鐘|分钟|분|\
    𑄟𑄨𑄚𑄨𑄖𑄴|𞤸𞤮𞤶
    """

  private static let hours = """
    Owápȟe|St.|Std.|Stn.|awa|awr|gaƒoƒo|giờ|godz.|góź.|h|h ʻe|h.|hodź.|hora|hr|hrs|j|jam|jem|ka oras|\
    klst.|na oras|oa|oe|oere|ora|oras|ore|orë|oră|sa.|saa|sag|sat|sata|sati|scd|soat|sr|st|st.|sáhat|t|\
    t.|tim|u|u.|uair|ura|uras|uur|val.|vor|wkt|Áwa|ó|ŋm|ώ.|гадз|гадз.|год|с.|сат|сата|сати|сахь.|сағ|\
    сехет|соат|ст|цаг|ч|ч.|ժ|שעה|שע׳|جم|س|سائەت|ساعات|ڪلاڪ|گھنٹہ|گھنٹے|گینٹہ|ܫ̈ܥܐ|ܫܥܬܐ|ߕ|घं॰|घण्टा|ता|\
    वर|ঘণ্টা|ঘন্টা|ਘੰਟਾ|ਘੰਟੇ|કલાક|ଘଣ୍ଟା|மணிநேரம்|గం.|ಗಂ.|മ|පැය|ชม.|ຊມ|နာရီ|სთ|ሰዓ|ᏑᏟ|ម៉ោង|小时|小時|時間|시간|\
    𑄊𑄧𑄚𑄴𑄑|𞤶𞤢
    """

  private static let bytes = """
    Aṭ|B|Bait|Byte|Bytes|a oktedoù|ama-bytes|aṭ|aṭamdan|baidht|baidhtean|bait|baitai|baitas|baiti|baito|\
    baits|baitu|baitų|bajt|bajta|bajti|bajto|bajtoj|bajtov|bajtova|bajtu|bajty|bajtów|bajtů|bayt|baýt|\
    beart|beit|beyt|bhaidht|bheart|bite|byte|byte-ita|bytea|byteaj|byteow|bytes|bytey|byți|bájt|báìtì|\
    bæti|bèt|být|de byți|feit|greep|i-byte|iṭamḍanen|ka byte|ka mga byte|mbeart|na byte|o|oct|octet|\
    octetes|octets|okted|paiti ʻe|t|tavu|tavua|àwɔ́n báìtì|àwọ́n báìtì|Б|баайт|байт|байта|байти|байты|\
    байтів|бајт|бајта|бајти|бајтова|Բ|բայթ|בייט|بائيٽ|بائيٽس|بائٹ|بائٹس|بايت|بايټ|بايټس|بایت|ܒܐܝܬ|बाइट|\
    बायट|বাইট|ਬਾਇਟ|બાઇટ|ବାଇଟ୍|பை.|பைட்|பைட்கள்|బై|బైట్|బైట్\u{200c}లు|ಬೈ.|ಬೈಟ್|ಬೈಟ್\u{200c}|\
    ಬೈಟ್\u{200c}ಗಳು|ബൈറ്റ്|බයිට්|ไบต์|ဘိုက်|ბაიტი|ባይት|ᎠᏍᎦᎳ|ᏗᏓᏍᎦᎵᎩ|បៃ|バイト|位元組|字节|바이트|𑄝𑄭𑄖𑄴|𞤔|𞤶𞤫𞥅𞤼𞥆𞤭|\
    𞤶𞤫𞥅𞤼𞥆𞤵
    """

  private static let kilobytes = """
    KB|Kilobyte|Kilobytes|Kílóbait|a gilooktedoù|akiluṭamḍan|c'hilookted|chileabaidht|chilibheart|\
    chillobyte|chilobyte|chilobytes|cileabaidht|cileabaidhtean|cilibheart|cilobeit|de kilobyți|\
    gcilibheart|gilookted|ikiluṭamḍanen|kAṬ|kB|kB ʻe|ka kilobyte|ka mga kilobyte|kiilobeyt|kilobait|\
    kilobaitai|kilobaitas|kilobaiti|kilobaito|kilobaits|kilobaitu|kilobaitų|kilobajt|kilobajta|\
    kilobajti|kilobajto|kilobajtoj|kilobajtov|kilobajtova|kilobajtu|kilobajty|kilobajtów|kilobajtů|\
    kilobayt|kilobaýt|kilobite|kilobyte|kilobyte ag|kilobytea|kilobyteaj|kilobyteow|kilobytes|kilobytey|\
    kilobyți|kilobájt|kilobèt|kilobýt|kilogreep|kilooctet|kilooctets|kilookted|kilopaiti ʻe|kilotavu|\
    kilotavua|kirubyte|kirubyte-ita|ko|kt|kébáìtì|kílóbæti|na kilobyte|quilooctets|àwɔn kílóbáìtì|\
    àwọn kílóbáìtì|КБ|Кбайт|кБ|килобаайт|килобайт|килобайта|килобајт|килобајта|килобајти|килобајтова|\
    кілабайт|кілабайта|кілабайты|кілобайт|кілобайта|кілобайти|кілобайтів|кілябайт|кілябайта|кілябайты|\
    կԲ|կիլոբայթ|קילו-בייט|كيلوبايت|کلوبائٹ|کلوبائٹس|کيلو بايټ|کيلو بايټس|کیلوبایت|ڪلو بائيٽ|ڪلو بائيٽز|\
    ܟܝܠܘܒܐܝܬ|किलोबाइट|किलोबायट|কিঃ বাঃ|কিলোবাইট|ਕਿਲੋਬਾਇਟ|કિલોબાઇટ|କିଲୋବାଇଟ୍|கிலோபைட்|கிலோபைட்கள்|\
    కిలోబైట్|కిలోబైట్లు|కేబీ|ಕಿ.ಬೈ.|ಕಿಲೋಬೈಟ್\u{200c}|ಕಿಲೋಬೈಟ್\u{200c}ಗಳು|കിലോബൈറ്റ്|കെബി|කිබ|කිලෝබයිට්|\
    กิโลไบต์|ကီလိုဘိုက်|კბაიტი|კილობაიტი|ኪሎባይት|ኪባ|ᎠᎦᏴᎵ ᎠᏍᎦᎳ|ᎠᎦᏴᎵ ᏗᏓᏍᎦᎵᎩ|គីឡូបៃ|キロバイト|千字节|킬로바이트|𑄇𑄨𑄣𑄮𑄝𑄭𑄖𑄴|\
    𞤳𞤔|𞤳𞤭𞤤𞤮𞤶𞤫𞥅𞤼𞥆𞤭|𞤳𞤭𞤤𞤮𞤶𞤫𞥅𞤼𞥆𞤵
    """

  private static let megabytes = """
    -il megabyte|MAṬ|MB|MB ʻe|Megabyte|Megabytes|Mo|Mt|MБ|Mẹ́gábait|a vegaoktedoù|amigaṭamdan|\
    de megabyți|imigaṭamḍanen|ka megabyte|ka mga megabyte|meaga-baidht|meaga-baidhtean|megabait|\
    megabaitai|megabaitas|megabaiti|megabaito|megabaits|megabaitu|megabaitų|megabajt|megabajta|\
    megabajti|megabajto|megabajtoj|megabajtov|megabajtova|megabajtu|megabajty|megabajtów|megabajtů|\
    megabayt|megabaýt|megabeit|megabeyt|megabite|megabyte|megabyte-ita|megabytea|megabyteaj|megabyteow|\
    megabytes|megabytey|megabyți|megabájt|megabæti|megabýt|megagreep|megaoctets|megaokted|megatavu|\
    megatavua|meigibheart|mekapaiti ʻe|meqabayt|mheaga-baidht|mheigibheart|mègabèt|mégaoctet|mégaoctets|\
    mẽgabyte|mẽgabyte ag|na megabyte|vegaokted|àwɔn mégábáìtì|àwọn mégábáìtì|МБ|Мбайт|мегабаайт|\
    мегабайт|мегабайта|мегабайти|мегабайты|мегабайтів|мегабајт|мегабајта|мегабајти|мегабајтова|мэгабайт|\
    мэгабайта|мэгабайты|ՄԲ|մեգաբայթ|מגה-בייט|م.ب|ميغابايت|ميګا بايټ|ميګا بايټس|ميگا بائيٽز|ميگابائٹس|\
    مگابایت|میگابائٹ|مەگابايت|ܡܝܓܐܒܐܝܬ|मॅगाबायट|मेगाबाइट|মেঃ বাঃ|মেগাবাইট|ਮੈਗਾਬਾਇਟ|મેગાબાઇટ|ମେଗାବାଇଟ୍|\
    மெகாபைட்|மெகாபைட்கள்|ఎమ్\u{200c}బి|మెగాబైట్|మెగాబైట్లు|ಮೆ.ಬೈ.|ಮೆಗಾಬೈಟ್\u{200c}|ಮೆಗಾಬೈಟ್\u{200c}ಗಳು|\
    എംബി|മെഗാബൈറ്റ്|මෙගාබයිට්|මෙබ|เมกะไบต์|မီဂါဘိုက်|მეგაბაიტი|ሜጋባይት|ᎺᎦ ᎠᏍᎦᎳ|ᎺᎦ ᏗᏓᏍᎦᎵᎩ|មេកាបៃ|メガバイト|兆字节|\
    메가바이트|𑄟𑄬𑄉𑄝𑄭𑄖𑄴|𞤃𞤔|𞤥𞤫𞤺𞤢𞤶𞤫𞥅𞤼𞥆𞤭|𞤥𞤫𞤺𞤢𞤶𞤫𞥅𞤼𞥆𞤵
    """

  private static let gigabytes = """
    GAṬ|GB|GB ʻe|Gigabyte|Gigabytes|Go|Gt|Gígábait|a c'higaoktedoù|c'higaokted|de gigabyți|ghiga-baidht|\
    ghigibheart|giga-baidht|giga-baidhtean|gigabait|gigabaitai|gigabaitas|gigabaiti|gigabaito|gigabaits|\
    gigabaitu|gigabaitų|gigabajt|gigabajta|gigabajti|gigabajto|gigabajtoj|gigabajtov|gigabajtova|\
    gigabajtu|gigabajty|gigabajtów|gigabajtů|gigabayt|gigabaýt|gigabeit|gigabeyt|gigabite|gigabyte|\
    gigabyte ag|gigabyte-ita|gigabytea|gigabyteaj|gigabyteow|gigabytes|gigabytey|gigabyți|gigabájt|\
    gigabèt|gigabýt|gigagreep|gigaoctet|gigaoctets|gigaokted|gigatavu|gigatavua|gigibheart|giqabayt|\
    gígabæti|jigabyte|jíbáìtì|ka gigabyte|ka mga gigabyte|kikapaiti ʻe|n igigaṭamḍanen|n ugigaṭamḍan|\
    na gigabyte|ngigibheart|xigabyte|xigabytes|àwɔn gígábáìtì|àwọn gígábáìtì|ГБ|ГБаайт|Гбайт|гигабайт|\
    гигабайта|гигабајт|гигабајта|гигабајти|гигабајтова|гігабайт|гігабайта|гігабайти|гігабайты|\
    гігабайтів|ԳԲ|գիգաբայթ|ג׳יגה-בייט|غ.ب|غيغابايت|ګيګا بايټس|گيگا بائيٽز|گيگابايت|گیگابائٹ|گیگابایت|\
    ܓܝܓܐܒܐܝܬ|गिगाबाइट|गिगाबायट|गीगाबाइट|গিঃ বাঃ|গিগাবাইট|ਗੀਗਾਬਾਇਟ|ગીગાબાઇટ|ଗିଗାବାଇଟ୍|கிகாபைட்|\
    கிகாபைட்கள்|గిగాబైట్|గిగాబైట్లు|జీబీ|ಗಿ.ಬೈ.|ಗಿಗಾಬೈಟ್\u{200c}|ಗಿಗಾಬೈಟ್\u{200c}ಗಳು|ഗിഗാബൈറ്റ്|ജിബി|\
    ගිගාබයිට්\u{200c}|ගිබ|กิกะไบต์|ဂစ်ဂါဘိုက်|გიგაბაიტი|ጊባ|ጊጋባይት|ᎩᎦᎠᏍᎦᎳ|ᎩᎦᏗᏓᏍᎦᎵᎩ|ជីកាបៃ|ギガバイト|吉字节|기가바이트|\
    𑄉𑄨𑄉𑄝𑄭𑄖𑄴|𞤘𞤔|𞤺𞤭𞤺𞤢𞤶𞤫𞥅𞤼𞥆𞤭|𞤺𞤭𞤺𞤢𞤶𞤫𞥅𞤼𞥆𞤵
    """
}
