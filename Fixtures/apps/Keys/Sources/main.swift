let weather = Weather()
weather.blow(3, isWet: true)
weather.blow(4, isWet: false)
weather.rain()
